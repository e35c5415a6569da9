"""The command `winnable`. One small module for each group of commands; see `app.COMMANDS`."""


def main() -> None:
    from winnable.cli.app import run

    run()
