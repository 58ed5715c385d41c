package dev.flowstone.sdk.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * An execution.
 *
 * @param requestId as it was sent; the execution's own id if none was
 * @param trigger its input; JSON's null if it had none
 * @param output JSON's null while there is none; {@link FlowstoneClient#read} makes a record of it
 * @param error why it failed
 * @param errorNode where
 * @param json all that the server told, such as {@code progress} and {@code hold}
 */
public record Execution(
        ExecutionSummary summary,
        String requestId,
        String startedBy,
        JsonNode trigger,
        JsonNode output,
        Optional<ErrorInfo> error,
        Optional<String> errorNode,
        JsonNode json) {
    /**
     * Why something failed.
     *
     * @param code for programs
     * @param details JSON's null if there are none
     */
    public record ErrorInfo(String code, String message, JsonNode details) {
        static ErrorInfo read(Tree tree) {
            return new ErrorInfo(tree.textOrEmpty("code"), tree.textOrEmpty("message"), tree.json("details"));
        }
    }

    static Execution read(Tree tree) {
        return new Execution(
                ExecutionSummary.read(tree),
                tree.textOrEmpty("requestId"),
                tree.textOrEmpty("startedBy"),
                tree.json("trigger"),
                tree.json("output"),
                tree.maybe("error").map(ErrorInfo::read),
                tree.maybeText("errorNode"),
                tree.json());
    }

    public ExecutionStatus status() {
        return summary.status();
    }
}
