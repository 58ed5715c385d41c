package dev.flowstone.dialect.soundness;

/**
 * What one step makes of a token.
 *
 * @param by the node that completed
 */
record Move(String by, Result result) {
    /** Where the token is then. */
    sealed interface Result {
        /** Somewhere else in its scope. */
        record Moved(Flow flow) implements Result {}

        /** At a node outside, all between closed; a join is arrived at with an outcome. */
        record Left(String to, String outcome) implements Result {}

        /** Nowhere: it ended. */
        record Ended() implements Result {}

        /** Nowhere: the whole run is over. */
        record Over() implements Result {}

        /** An operator must help. */
        record Stuck(String node, String outcome) implements Result {}
    }
}
