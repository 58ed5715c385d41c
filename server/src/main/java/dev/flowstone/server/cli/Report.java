package dev.flowstone.server.cli;

import java.util.List;
import java.util.Set;

/** How an answer of the server is told to people; machines get it as it came. */
sealed interface Report {
    /** What a change did. */
    record Change() implements Report {}

    /** What became of a signal. */
    record Fate() implements Report {}

    /**
     * A page of a list.
     *
     * @param none said if it is empty
     */
    record Rows(List<Column> columns, String none) implements Report {
        public Rows {
            columns = List.copyOf(columns);
        }
    }

    /**
     * One item of a list.
     *
     * @param member by which it is found
     * @param argument that names it
     */
    record One(String member, String argument) implements Report {}

    /**
     * A batch of a long change, called again from where the one before ended until there is no more.
     *
     * @param most member that says how many batches at most; it is not sent
     */
    record Batches(String most) implements Report {}

    /** An object in the answer, a line for each member. */
    record Members(String member) implements Report {}

    /** A text in the answer, line by line. */
    record Text(String member) implements Report {}

    /** A column of a table, and the member that it shows. */
    record Column(String title, String member) {
        private static final Set<String> WHOLE = Set.of("id", "executionId", "workflowId", "activation", "help");

        /** What people name things by, or what there is to do: it is never cut. */
        boolean isWhole() {
            return WHOLE.contains(member);
        }
    }
}
