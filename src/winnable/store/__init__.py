"""What is kept on disk: sessions and runs in a database, and where caches lie."""
