package dev.flowstone.sdk.client;

/**
 * One thing that is wrong with what was sent, or, as a warning, doubtful.
 *
 * @param code for programs
 * @param pointer a JSON pointer (RFC 6901) into what was sent
 * @param line in what was sent, from 1; 0 if it has none
 * @param column in that line
 * @param message what is wrong, for people
 * @param remedy what to do
 */
public record Fault(String code, String pointer, int line, int column, String message, String remedy) {
    static Fault read(Tree tree) {
        return new Fault(
                tree.textOrEmpty("code"),
                tree.textOrEmpty("pointer"),
                tree.count("line"),
                tree.count("column"),
                tree.textOrEmpty("message"),
                tree.textOrEmpty("remedy"));
    }
}
