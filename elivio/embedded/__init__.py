"""PostgreSQL and Valkey from their wheels, for a machine without either; knows nothing of Django.

This module only computes addresses, so settings can name the servers without starting them.
"""

from elivio.embedded.addresses import data_dir, database_url, redis_url

__all__ = ["data_dir", "database_url", "redis_url"]
