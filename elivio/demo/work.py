"""The demo student's messages, by task key: real work that plain rules can check.

What is listed for a task that is only begun is one requirement short on purpose, by a spelling.
"""

LIST_ITEMS = """\
I emptied the cupboard and wrote everything down. The table has the columns Item, Kind and \
Condition, and it lists ten items:

Item,Kind,Condition
Camera A,camera,good
Camera B,camera,scratched lens
Tripod 1,tripod,good
Tripod 2,tripod,one leg sticks
Shotgun microphone,sound,good
Lapel microphone,sound,cable broken
Recorder,sound,good
Lamp 1,light,good
Lamp 2,light,good
Reflector,light,torn"""

MISSING_ITEMS = """\
Two items are missing: the second recorder and the case of camera B. Broken are the cable of the \
lapel microphone and the reflector, which is torn at the edge."""

ASK_MEMBERS = """\
I talked to three members. The first borrowed a tripod last, for a weekend. The second borrowed \
the recorder last and kept it for a month. The third wanted camera A and gave up, because nobody \
knew where it was; the last thing they borrowed was a lamp.

The main reason why an item came back late: nobody had said when it was due."""

REFLECT_ANSWERS = """\
One thing surprised me in the answers: nobody was careless. I had thought that people keep things \
on purpose. They simply were never told a date, and two of them were even waiting for somebody to \
ask for the item back.

What it changes for the lending desk: the date matters more than the lock. I say it when I hand \
something out, and it stands in the sheet, before I think about fines or a stricter key rule."""

WRITE_RULES = """\
The rules say how long an item may stay out: one week, or a weekend for the cameras. Ask in the \
club channel if you need it longer.
The rules also say whom to tell when something breaks: tell the desk on the same day, in the club \
channel, with a picture. Nobody pays for honest damage.
Return things on the day you said, in the bag they came in."""

BOOKING_CALENDAR = """\
I made the calendar. It has the categories for loans and for repairs. From its settings:

Name: Film Club Lending
Categories: Out, Maintenance
Time zone: local"""

TURNS: dict[str, tuple[str, ...]] = {
    "list-items": (LIST_ITEMS, MISSING_ITEMS),
    "ask-members": (ASK_MEMBERS,),
    "reflect-answers": (REFLECT_ANSWERS,),
    "write-rules": (WRITE_RULES,),
    "booking-calendar": (BOOKING_CALENDAR,),
}
