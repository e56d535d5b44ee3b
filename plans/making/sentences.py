"""What a student is told about a draft: one sentence for each state and each kind of failure."""

from plans.models.draft import PlanDraft

State = PlanDraft.State
WORKING = {
    State.ASKED: "Your plan is about to be made. You can leave this page; nothing is lost.",
    State.PROPOSING: "A first plan is being written. You can leave this page; nothing is lost.",
    State.REVIEWING: "The plan is being read against the criteria.",
    State.REPAIRING: "What the review found is being put right.",
}
TRY_AGAIN = "What you wrote is kept. Try again in a few minutes."
FAILURES = {
    "no_model": "No model is set up here that could make a plan. Tell your teacher; what you wrote "
    "is kept.",
    "not_authorised": "The model refused our key. Tell your teacher; what you wrote is kept.",
    "rejected": "The model could not take this request. Tell your teacher; what you wrote is kept.",
    "rate_limited": f"The model is asked too often at the moment. {TRY_AGAIN}",
    "overloaded": f"The model has trouble at the moment. {TRY_AGAIN}",
    "unreachable": f"The model could not be reached. {TRY_AGAIN}",
    "timeout": f"The model took too long. {TRY_AGAIN}",
    "budget_spent": "The plans that can be made for you in one day are used up. What you wrote is "
    "kept; try again tomorrow.",
    "switched_off": "Plan making is switched off for now. What you wrote is kept; try again later.",
    "blocked": "The model did not want to plan this. Describe your project in other words, in a "
    "new plan.",
    "safety": "The model did not want to plan this. Describe your project in other words, in a "
    "new plan.",
}
FAILED = f"The plan did not come through in a form that can be used. {TRY_AGAIN}"


UNREAD = "No AI has read what you changed: only what code can check was checked again."


def say_state(draft: PlanDraft) -> str:
    """One or two sentences on where the draft stands and what the student can do."""
    if draft.state in WORKING:
        return WORKING[draft.state]
    if draft.state == State.FAILED:
        return FAILURES.get(draft.reason, FAILED)
    if draft.state == State.ACCEPTED:
        return "You accepted this plan."
    return _say_ready(draft)


def _say_ready(draft: PlanDraft) -> str:
    review = draft.review or {}
    findings = review.get("findings", [])
    before = sum(one.get("is_before", False) for one in findings)
    parts = ["Your plan is ready. Change what you like, then accept it."]
    if found := len(findings) - before:
        parts.append(f"The review left {_count(found)} open.")
    if before:
        are = "is" if before == 1 else "are"
        parts.append(f"{_count(before)} {are} about the plan before your change.")
    if review.get("judge_kind") == "rules":
        parts.append("No AI read it: only what code can check was checked.")
    elif review.get("reason"):
        parts.append("The review could not decide everything, so read the plan with care.")
    if review.get("is_edited") and review.get("judge_kind") != "rules":
        parts.append(UNREAD)
    if draft.reason:
        parts.append("The last repair did not come through; this is the plan before it.")
    return " ".join(parts)


def _count(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"
