"""Django settings: from the environment by `elivio.env`, with defaults for a fresh machine.

DEBUG is on by default exactly when no DATABASE_URL is given, that is, on the embedded database.
"""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from elivio import embedded, env

BASE_DIR = Path(__file__).resolve().parent.parent

DATABASE_URL = env.text("DATABASE_URL")
DEBUG = env.flag("DEBUG", default=not DATABASE_URL)
SECRET_KEY = env.text("SECRET_KEY", "only-for-this-machine" if DEBUG else "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "Set SECRET_KEY to a long random text, or DEBUG=1 on your own machine."
    )
ALLOWED_HOSTS = env.items("ALLOWED_HOSTS") or (["localhost", "127.0.0.1", "[::1]"] if DEBUG else [])
CSRF_TRUSTED_ORIGINS = env.items("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "ninja",
    "elivio",
    "plans",
    "judge",
    "sessions.apps.CopilotSessionsConfig",
]

MIDDLEWARE = [
    "elivio.security_headers.content_security_policy",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
if DEBUG:
    MIDDLEWARE.append("elivio.missing_page.OwnMissingPage")

ROOT_URLCONF = "elivio.urls"
ASGI_APPLICATION = "elivio.asgi.application"
WSGI_APPLICATION = "elivio.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "elivio.context.model_kind",
            ],
        },
    },
]

# Database. ATOMIC_REQUESTS stays off: a request that asks a model must hold no transaction.
_connection = conninfo_to_dict(DATABASE_URL or embedded.database_url(embedded.data_dir()))
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _connection.pop("dbname", "elivio"),
        "USER": _connection.pop("user", ""),
        "PASSWORD": _connection.pop("password", ""),
        "HOST": _connection.pop("host", ""),
        "PORT": _connection.pop("port", ""),
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **_connection,
            "pool": {
                "min_size": 1,
                "max_size": env.integer("DATABASE_POOL_SIZE", 10),
                "timeout": 10,
            },
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Valkey or Redis: shared frames, and the Celery broker.
REDIS_URL = env.text("REDIS_URL") or embedded.redis_url(embedded.data_dir())
REDIS_SOCKET_SECONDS = 2.0

# The broker only speeds things up: the FollowUp rows and the sweep are the guarantee, so every
# wait on it is short and nothing is read back from it.
CELERY_BROKER_URL = REDIS_URL
if REDIS_URL.startswith("unix://"):  # Celery has other words for the same address
    CELERY_BROKER_URL = "redis+socket" + REDIS_URL.removeprefix("unix").replace(
        "?db=", "?virtual_host=", 1
    )
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 2,
    "socket_connect_timeout": 1,
    "max_retries": 0,  # of a connection, for a message that the sweep makes up for
    "visibility_timeout": 600,
    "global_keyprefix": env.text("CELERY_KEY_PREFIX"),
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker outlives any outage of the broker
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_TIME_LIMIT = 300
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE = {
    # What no worker took in time is dropped: the next one of its kind does the same.
    "sweep-followups": {
        "task": "elivio.sweep_followups",
        "schedule": 30.0,
        "options": {"expires": 60},
    },
    "sweep-plan-drafts": {
        "task": "elivio.sweep_plan_drafts",
        "schedule": 30.0,
        "options": {"expires": 60},
    },
    "end-idle-sessions": {
        "task": "elivio.end_idle_sessions",
        "schedule": 300.0,
        "options": {"expires": 600},
    },
    "clear-logins": {
        "task": "elivio.clear_logins",
        "schedule": 86_400.0,
        "options": {"expires": 3600},
    },
}

# Models. Without a key, plain rules answer while DEBUG is on; otherwise checks are undecided.
GEMINI_API_KEY = env.text("GEMINI_API_KEY") or env.text("GOOGLE_API_KEY")
GEMINI_BASE_URL = env.text("GOOGLE_GEMINI_BASE_URL")
GEMINI_API_VERSION = env.text("GOOGLE_GENAI_API_VERSION", "v1")
_MODEL = env.text("ELIVIO_MODEL", "gemini-3.8-flash")
MODELS = {
    role: {"name": env.text(f"ELIVIO_{role.upper()}_MODEL", _MODEL)}
    for role in ("copilot", "judge", "scorer", "evaluator", "planner")
}
MODELS["copilot"]["class"] = env.text("ELIVIO_COPILOT_CLASS", "elivio.llm.gemini_chat.GeminiChat")
MODELS["copilot"]["args"] = env.mapping("ELIVIO_COPILOT_ARGS")
JUDGE_DEADLINE_SECONDS = env.number("JUDGE_DEADLINE_SECONDS", 45.0)
PLANNER_DEADLINE_SECONDS = env.number("PLANNER_DEADLINE_SECONDS", 90.0)
COPILOT_DEADLINE_SECONDS = env.number("COPILOT_DEADLINE_SECONDS", 60.0)
# Model calls a day and student, by purpose (plans.models.Purpose); staff can raise one student's.
DAILY_MODEL_CALLS = {
    "chat": env.integer("DAILY_CHAT_CALLS", 300),
    "check": env.integer("DAILY_CHECK_CALLS", 80),
    "planning": env.integer("DAILY_PLANNING_CALLS", 30),
    "background": env.integer("DAILY_BACKGROUND_CALLS", 60),
}
SESSION_IDLE_MINUTES = env.integer("SESSION_IDLE_MINUTES", 120)

# Accounts: Django's own user, whose username is the lower-case e-mail address.
SESSION_ENGINE = "elivio.session_store"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "plans:home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
CSRF_FAILURE_VIEW = "elivio.views.csrf_failure"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.text("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.text("STATIC_ROOT") or BASE_DIR / ".static"
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024  # a screenshot of 8 MB as base64 in JSON
FILE_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

if not DEBUG:
    SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=True)
    SECURE_PROXY_SSL_HEADER = (
        ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("TRUST_PROXY", default=False) else None
    )
    SECURE_HSTS_SECONDS = env.integer("SECURE_HSTS_SECONDS", 31_536_000)
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    # Django's own handler would say everything a second time.
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        "httpx2": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
    },
}
