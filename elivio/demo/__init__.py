"""The demo of a fresh machine: a project plan as plain values, and the student's work on it."""

STUDENT = "student@example.org"
STAFF = "staff@example.org"
PASSWORD = "elivio-demo"  # everybody knows it, so it is used under DEBUG alone
