"""The command `winnable`. One small module for each group of commands; see `app.COMMANDS`."""


def main() -> None:
    """Runs the command line, and never returns."""
    try:
        from winnable.cli.app import run
    except KeyboardInterrupt:  # before anything has begun, and before there are words for it
        raise SystemExit(130) from None
    run()
