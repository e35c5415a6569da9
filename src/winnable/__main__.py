from winnable.cli import main

main()
