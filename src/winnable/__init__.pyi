from .analysis import companion_of as companion_of
from .board import Board as Board
from .board import Report as Report
from .board import Solution as Solution
from .board import check as check
from .board import columns as columns
from .board import generate as generate
from .board import load as load
from .board import solve as solve
from .contract.budget import Budget as Budget
from .contract.budget import Progress as Progress
from .contract.budget import SolveResult as SolveResult
from .contract.core import Player as Player
from .contract.core import Puzzle as Puzzle
from .contract.core import Solver as Solver
from .contract.core import check_line as check_line
from .contract.core import replay as replay
from .contract.errors import IllegalAction as IllegalAction
from .contract.errors import LevelError as LevelError
from .contract.errors import WinnableError as WinnableError
from .contract.game import Game as Game
from .contract.registry import load_game as load_game
from .levels.checking import Checked as Checked
from .levels.find import find_level as find_level
from .play.session import Session as Session

__version__: str
