"""Login sessions in the database; a cookie that cannot be a session's key is turned away at once.

Django hands the cookie's value to PostgreSQL as it is, where a NUL would be a 500 on every page.
"""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        return super()._validate_session_key(key) and key.isascii() and key.isalnum()
