"""The words of the plan that screenshots show: a student maps where a campus runs out of bikes."""

TITLE = "A campus bike-share map people can trust"
GOAL = (
    "Interview riders, clean three months of station data, and publish a map that shows where "
    "bikes run out."
)

Row = tuple[str, str]
Task = tuple[str, str, tuple[Row, ...]]

STATUS: Task = (
    "Give every station exactly one status",
    "The column `status` mixes spellings and empty cells. Give each of the 64 stations one of two "
    "values, spelled `Open` or `Closed`.",
    (
        ("Only “Open” or “Closed”, spelled that way", "shown"),
        ("All 64 stations have one", "either"),
        ("You show the query and its result", "shown"),
    ),
)
WEEKS: tuple[tuple[str, str, tuple[Task, ...]], ...] = (
    (
        "Know your riders",
        "Who rides, where, and what makes them give up.",
        (
            (
                "Interview five riders",
                "Ask each where they last found no bike, and what they did instead.",
                (
                    ("You tell where each of the five found no bike", "written"),
                    ("You tell what each did instead", "written"),
                    ("You name one thing all five agree on", "written"),
                    ("You leave their names out", "written"),
                ),
            ),
            (
                "Write what surprised you, 200 words",
                "Read your notes again first.",
                (
                    ("You describe one surprise", "written"),
                    ("You say what it changes for the map", "written"),
                ),
            ),
            (
                "Ask the transport office for the data",
                "",
                (("You say what you asked for, and what they answered", "either"),),
            ),
        ),
    ),
    (
        "Clean the data",
        "Three files become one table that holds no surprises.",
        (
            (
                "Load the three CSV files into one table",
                "Name the table `trips`.",
                (
                    ("The table is named `trips`", "shown"),
                    ("The row count is the sum of the three files", "shown"),
                    ("You say what you did with doubled rows", "written"),
                ),
            ),
            STATUS,
            (
                "Find the gaps in the log",
                "Some stations fall silent for hours. List the five longest gaps.",
                (
                    ("You list five gaps with station and hours", "shown"),
                    ("You say which of them you believe", "written"),
                ),
            ),
            (
                "Note what you left out",
                "Whoever reads the map should know what it does not show.",
                (("You name each thing you left out, and why", "written"),),
            ),
        ),
    ),
    (
        "Draw the map",
        "One picture that a rider reads in five seconds.",
        (
            (
                "Sketch it on paper first",
                "",
                (("You show the sketch", "shown"), ("You say what a rider sees first", "written")),
            ),
            (
                "Colour the stations by how often they run out",
                "Use three colours that also differ in lightness.",
                (
                    ("The map shows all 64 stations", "shown"),
                    ("You name the three colours and why", "written"),
                ),
            ),
        ),
    ),
    (
        "Publish it",
        "",
        (
            (
                "Show it to two riders",
                "Say nothing while they read it.",
                (("You tell what each of the two misread", "written"),),
            ),
            (
                "Put it online",
                "",
                (
                    ("You share the address", "either"),
                    ("The page says where the data is from", "shown"),
                ),
            ),
            (
                "Reflect on the four weeks",
                "",
                (("You say what you would do first next time", "written"),),
            ),
        ),
    ),
)

OTHER_TITLE = "A reading group that lasts a term"
OTHER_GOAL = "Find six people, agree on four books, and meet every second week."
OTHER_TASK: Task = (
    "Agree on four books",
    "Collect two proposals from each, then vote.",
    (("You list the four books", "written"), ("You say how you voted", "written")),
)

QUESTION = "I cleaned the status column. Where do I start with checking it?"
HINT = "What is in the column now? Run a count by value and paste what you get."
WORK = """here it is, i changed the rest to closed

status   | count
---------+------
Open     |    51
Closed   |    12
closed   |     1"""
NICE = (
    "All 64 are there. Look at the three lines once more: would a rider call them two values or "
    "three?"
)
FIXED = """Fixed. I ran

SELECT status, count(*)
FROM stations
GROUP BY status;

status   | count
---------+------
Open     |    51
Closed   |    13"""
CLAIM = "That looks finished to me. Run the completion check when you are ready."
DONE = "ok, I think this is done"

LOWER = "One station still says “closed” in lower case. Fix that row and show the count again."
NO_QUERY = "You have shown the result. Paste the query you ran."
ADDS_UP = "Your count adds up to 64."
TWO_VALUES = "Your count holds these two values and no other."
SHOWN_BOTH = "You have shown the query and the count it gave."
