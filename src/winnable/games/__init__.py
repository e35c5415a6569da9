"""Our games. Whoever imports one also has the words of all."""

from winnable.contract import registry as registry
