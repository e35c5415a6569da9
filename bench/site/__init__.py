"""The studio as a static page, measured and compared with the native one."""
