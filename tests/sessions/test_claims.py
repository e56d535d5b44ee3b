"""What counts as a claim that something is done, and as a question whether it is."""

import pytest

from sessions.claims import asks_state, claims_done

CLAIMS = (
    "I have marked it complete.",
    "I've marked this task as done for you!",
    "Great, I\u2019ve saved your progress.",
    "I saved everything you wrote.",
    "Your progress is saved.",
    "All your work has been saved, so you can close the page.",
    "The task is now complete.",
    "**Task complete!** What would you like to do next?",
    "That's done.",
    "It's all saved.",
    "Done!",
    "Checked it off.",
    "This step is checked off, well done.",
    "I checked your work and every row is there.",
    "You've completed the task.",
    "Marking this as complete.",
    "No, it is done.",
    "Hm. Let me see.\n\nOkay, I have recorded your result.",
    "I've gone ahead and saved your progress.",
    "I just went ahead and completed the task",
    "It's been saved.",
    "Your answers have been verified.",
    "\u2705 Done!",
    "Status: complete \u2705",
    "Great work. Complete!",
    "I've updated the task to completed.",
    "I set this task as done.",
    "Task closed.",
    "I closed the task for you.",
    "You passed the check.",
    "The check passed.",
    "All requirements are met.",
    "All set!",
    "You're all set.",
    "Consider it done.",
    "No worries I've marked it complete.",
    "The system shows it completed.",
    "I can see your task as completed.",
    "We're done here.",
    "Sure I've saved it for you.",
    "Aufgabe erledigt!",
    "Tâche terminée !",
    "Tarea completada.",
    "Tarefa concluída!",
    "Attività completata.",
    "Ich habe deinen Fortschritt gespeichert.",
    "Die Aufgabe ist jetzt erledigt.",
    "J'ai bien enregistré ton travail.",
    "La tâche est terminée.",
    "He guardado tu progreso.",
    "La tarea está completada.",
    "Salvei o seu progresso.",
    "A tarefa está concluída.",
    "Ho salvato i tuoi progressi.",
    "L'attività è completata.",
)
NO_CLAIMS = (
    "It is not done yet.",
    "This isn't done yet; one row is missing.",
    "I have not saved anything.",
    "I haven't marked it complete.",
    "I can't mark it as done.",
    "Nothing is marked until you tap Mark complete.",
    "No row is checked yet.",
    "Once it is done, run the check.",
    "When the task is complete, tap the button.",
    "The task is complete when every row is met.",
    "The task is marked only by your own tap.",
    "Is it done?",
    "Are you finished?",
    "I don't think it's finished.",
    "Never say that it is done before you have counted.",
    "What did you find so far? Paste what you have.",
    "That looks ready. Run the completion check, then tap Mark complete.",
    "Which stations will be marked as closed?",
    "Your second row needs a result.",
    "I have a question about your map.",
    "Tell me how you counted the stations.",
    "You are all set to begin once you have the file.",
    "Have the numbers ready for the next step.",
    "No requirement is met yet.",
    "The check has not passed.",
    "Make sure it is saved before you close the file.",
    "You have five stations left.",
    "Die Aufgabe ist noch nicht erledigt.",
    "Wenn die Aufgabe erledigt ist, starte die Prüfung.",
    "La tâche n'est pas terminée.",
    "La tarea no está completada.",
    "A tarefa não está concluída.",
    "L'attività non è completata.",
    "",
)
ASKS = (
    "Did you save my progress?",
    "did you save my progress",
    "Hey, have you saved this?",
    "Is it marked?",
    "is my task done?",
    "Is this saved somewhere?",
    "Was my last message lost?",
    "I am off now. Did you store what I wrote?",
    "Am I done?",
    "Can you save my progress?",
    "saved?",
    "Did I complete the task?",
    "Have I finished this?",
    "Could you tell me if it was saved?",
    "please tell me whether you saved it",
    "Will my progress be saved?",
    "Where is my progress saved?",
    "Hast du meinen Fortschritt gespeichert?",
    "As-tu enregistré mon travail ?",
    "¿Has guardado mi progreso?",
    "Você salvou meu progresso?",
    "Hai salvato i miei progressi?",
)
NO_QUESTIONS = (
    "I am done.",
    "How do I save a file in vim?",
    "I saved the query as count.sql.",
    "What does done mean here?",
    "The count is 64.",
    "Where do I mark a station as closed?",
    "",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim(text):
    assert claims_done(text)


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_no_claim(text):
    assert not claims_done(text)


@pytest.mark.parametrize("text", ASKS)
def test_a_question(text):
    assert asks_state(text)


@pytest.mark.parametrize("text", NO_QUESTIONS)
def test_no_question(text):
    assert not asks_state(text)
