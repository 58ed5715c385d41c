package dev.flowstone.server.cli;

import java.util.List;

/** A command that has commands of its own, each a call of a running server. */
interface Group {
    List<Verb> verbs();
}
