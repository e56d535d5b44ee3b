"""The demo plan: four weeks to a lending desk for a film club. The work on it is in work."""

from elivio.demo.values import EITHER, SHOWN, WRITTEN, DemoPlan, DemoTask, DemoWeek

KNOW = DemoWeek(
    "Know what there is",
    "Find out what the club owns, and why things come back late or not at all.",
    (
        DemoTask(
            "list-items",
            "List the equipment in one table",
            "Make one table with a line for every item in the cupboard. Name its columns “Item”, "
            "“Kind” and “Condition”, spelled that way, and paste the table.",
            (
                ("The table has the columns “Item”, “Kind” and “Condition”", SHOWN),
                ("The table lists at least ten items", SHOWN),
                ("You say which items are missing or broken", WRITTEN),
            ),
            "checked",
        ),
        DemoTask(
            "ask-members",
            "Ask three members how they borrow",
            "Talk to three members of the club. Write down what each of them borrowed last and "
            "what got in the way. Leave their names out.",
            (
                ("You tell what each of the three members borrowed last", WRITTEN),
                ("You name one reason why an item came back late", WRITTEN),
            ),
            "checked",
        ),
        DemoTask(
            "reflect-answers",
            "Reflect on what surprised you",
            "Read the three answers again. About a hundred words are enough.",
            (
                ("You describe one thing that surprised you in the answers", WRITTEN),
                ("You say what it changes for the lending desk", WRITTEN),
            ),
            "checked",
        ),
        DemoTask(
            "cupboard-key",
            "Ask the committee for a cupboard key",
            "Ask for a key to the cupboard, and agree where it is kept.",
            (("You say where the key is kept and who may take it", EITHER),),
            "self_reported",
        ),
    ),
)

AGREE = DemoWeek(
    "Agree on simple rules",
    "Few rules that a new member understands in a minute, and one place where loans are written.",
    (
        DemoTask(
            "write-rules",
            "Write the borrowing rules",
            "Write the rules as you would say them to a new member: how long, and what to do when "
            "something breaks.",
            (
                ("The rules say how long an item may stay out", WRITTEN),
                ("The rules say whom to tell when something breaks", WRITTEN),
            ),
            "checked",
        ),
        DemoTask(
            "booking-calendar",
            "Set up the booking calendar",
            "Make a shared calendar with the name “Film club lending”, spelled that way, and two "
            "categories in it: “Out” and “Maintenance”. Paste its settings or share your screen.",
            (
                ("The calendar has the name “Film club lending”", SHOWN),
                ("The calendar has the categories “Out” and “Maintenance”", SHOWN),
                ("You say who may change entries and who may only read them", WRITTEN),
            ),
            "begun",
        ),
        DemoTask(
            "sign-out-sheet",
            "Set up the sign-out sheet",
            "Make a sheet in which every loan is one line. Name its columns “Item”, “Borrower”, "
            "“Out on” and “Due back”, spelled that way, and paste the sheet with one example.",
            (
                ("The sheet has the columns “Item”, “Borrower”, “Out on” and “Due back”", SHOWN),
                ("The sheet holds one example loan with its due date", SHOWN),
                ("You say why the due date must never stay empty", WRITTEN),
            ),
        ),
        DemoTask(
            "reflect-rules",
            "Reflect on whom the rules leave out",
            "Think of members for whom the rules make borrowing harder, and of one remedy.",
            (
                ("You describe one group of members for whom the rules are harder", WRITTEN),
                ("You say what you would change for them", WRITTEN),
            ),
        ),
    ),
)

BUILD = DemoWeek(
    "Build what people will use",
    "Labels, a count and a reminder, so that the desk runs without you.",
    (
        DemoTask(
            "label-shelves",
            "Label the shelves",
            "Use exactly three labels: “CAM”, “SND” and “LGT”.",
            (
                ("The shelf labels read “CAM”, “SND” and “LGT”", SHOWN),
                ("You say which kind of item belongs on which shelf", EITHER),
            ),
        ),
        DemoTask(
            "count-loans",
            "Count what is out with one formula",
            "Write a formula that counts the loans without a return, and try it on three lines.",
            (
                ("You show the formula that counts the open loans", SHOWN),
                ("You show its result for at least three example lines", SHOWN),
                ("You explain what the formula does with an empty line", WRITTEN),
            ),
        ),
        DemoTask(
            "reminder",
            "Write the reminder message",
            "The day before an item is due its borrower gets a message. It starts with "
            "“Due tomorrow:” and names the item. Show one as it arrives.",
            (
                ("The reminder message starts with “Due tomorrow:” and names the item", SHOWN),
                ("The message says where to bring the item back", EITHER),
            ),
        ),
    ),
)

OPEN = DemoWeek(
    "Open the desk",
    "Try it with real borrowers, write it down, and hand it over.",
    (
        DemoTask(
            "try-out",
            "Try the desk with two borrowers",
            "Let two members borrow and return one item each, and only watch.",
            (
                ("You tell where each of the two borrowers got stuck", WRITTEN),
                ("You say what you changed after the try-out", EITHER),
            ),
        ),
        DemoTask(
            "handover-page",
            "Write the hand-over page",
            "One page for whoever runs the desk after you, with the headings “How to borrow”, "
            "“How to return” and “When something breaks”.",
            (
                (
                    "The page has the headings “How to borrow”, “How to return” and "
                    "“When something breaks”",
                    SHOWN,
                ),
                ("The page says where the sheet, the calendar and the key are", EITHER),
            ),
        ),
        DemoTask(
            "opening-day",
            "Announce the opening day",
            "Write the notice for the club's board: when the desk opens, and the three steps to "
            "borrow something.",
            (
                ("The notice gives the day and the opening hours", EITHER),
                ("The notice lists the three steps to borrow an item", EITHER),
            ),
        ),
        DemoTask(
            "reflect-weeks",
            "Reflect on the four weeks",
            "Look back at your plan. About a hundred and fifty words are enough.",
            (
                ("You name one thing that went better than planned", WRITTEN),
                ("You name one thing you would do differently next time", WRITTEN),
                ("You say what the club should do with the desk next", WRITTEN),
            ),
        ),
    ),
)

PLAN = DemoPlan(
    "A lending desk for the film club",
    "The film club owns cameras, microphones and lamps that nobody can find when they are needed. "
    "In four weeks they are listed, lent by simple rules, and the desk runs without its maker.",
    hours_per_week=5,
    weeks=(KNOW, AGREE, BUILD, OPEN),
)
