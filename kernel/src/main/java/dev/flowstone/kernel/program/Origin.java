package dev.flowstone.kernel.program;

/**
 * Where in its source a node or an edge came from.
 *
 * @param pointer JSON pointer into the source; lines are left out, so that white space never changes a program's hash
 */
public record Origin(String pointer) {
    /** Made by the compiler, not written by anybody. */
    public static final Origin COMPILER = new Origin("");
}
