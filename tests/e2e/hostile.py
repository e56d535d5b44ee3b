"""Texts that somebody writes to run a script, to break a page, or to make it read another way.

Whatever runs sets `window.hit` or opens a dialog.
"""

RUN = "window.hit=1;alert(1)"
MARKUP = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'><style>*{{display:none}}</style>",
    f"</textarea></p></main><script>{RUN}</script>",
    f"\"' autofocus onfocus='{RUN}' x='",
    f"<a href=\"javascript:{RUN}\">click</a> <iframe srcdoc='<script>{RUN}</script>'></iframe>",
    f"<div hx-get='/logout/' hx-trigger='load' hx-on:load='{RUN}'></div>",
    "<base href='//example.org/'><form action='//example.org/'><meta http-equiv=refresh content=1>",
    f"--><!--</title></style><script>{RUN}</script>",
)
TEMPLATES = (
    "{{ 7|add:7 }}{% include 'plans/home.html' %}{{ settings.SECRET_KEY }}",
    "${7*7} #{7*7} <%= 7*7 %> [[7*7]] {{constructor.constructor('window.hit=1')()}}",
)
SQL = ("'; DROP TABLE plans_plan; --", "1' OR '1'='1' UNION SELECT password FROM auth_user --")
UNICODE = (
    "\u202eright to left override\u202c and \u2066isolate\u2069 \u200fmark",
    "zero\u200bwidth\u200cjoin\ufeffer \u2060words",
    "Z\u0351\u036b\u0343\u036a\u0302" * 40,
    "\U0001f469\u200d\U0001f4bb" * 30,
    "שלום עולם, مرحبا بالعالم",
)
WIDE = (
    "unbroken" * 120,
    "| " + "cell | " * 120 + "\n" + "-" * 800,
    "```\n" + "x" * 2000 + "\nsecond\n```",
    "\t\t\tdeep\n\t\t\t\tdeeper\n" + "\n" * 40 + "end",
)
CORPUS = (*MARKUP, *TEMPLATES, *SQL, *UNICODE, *WIDE)
# What fits where a line of text is kept; one character of the corpus may not be stored there.
LINE = 200
