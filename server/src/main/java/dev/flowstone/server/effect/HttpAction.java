package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.Outcome;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code core.http}: sends a request, once for each attempt, and answers {@code {status, headers, body, bodyIs, truncated}}. Each attempt of an
 * activation has the same {@code Idempotency-Key}, by which the other side drops repetitions. Ends promptly when it is interrupted.
 */
public final class HttpAction implements TaskHandler {
    public static final ActionDescription DESCRIPTION = new ActionDescription(
            new HandlerName("core.http"),
            "Sends an HTTP request and answers what came back.",
            List.of(
                    new Parameter("url", true, "text, the whole of it, http or https, without user and password"),
                    new Parameter("method", false, "text; default GET"),
                    new Parameter("query", false, "object, added to the URL; a list is a parameter several times"),
                    new Parameter(
                            "headers",
                            false,
                            "object; a list is a header several times, {\"$secret\": NAME} a secret of the server's"),
                    new Parameter("json", false, "any value, the body; or one of the following"),
                    new Parameter("form", false, "object, the body as a form sends it"),
                    new Parameter("text", false, "text, the body in UTF-8"),
                    new Parameter("base64", false, "text, the body in Base64"),
                    new Parameter("contentType", false, "text, of the body; default by what it is"),
                    new Parameter("timeout", false, "ISO 8601 duration; at most and by default outbound.timeout"),
                    new Parameter("expect", false, "list of statuses that are success, such as 2xx, 404; default 2xx"),
                    new Parameter("response", false, "auto, json, text, base64 or none; default auto")));

    private final Supplier<OutboundClient> client;
    private final Secrets secrets;

    /**
     * With secrets that workflows may name.
     *
     * @param client is asked for each call, and not closed
     */
    public HttpAction(Supplier<OutboundClient> client, Secrets secrets) {
        this.client = requireNonNull(client);
        this.secrets = requireNonNull(secrets);
    }

    @Override
    public TaskResult handle(TaskCall call) {
        HttpCall http;
        try {
            http = HttpParameters.read(call, secrets);
        } catch (InvalidParameterException e) {
            return e.result();
        }
        try {
            Outcome outcome = client.get().send(http.request());
            return HttpResults.of(http, outcome);
        } catch (InterruptedException e) {
            return TaskResult.retryable(
                    "INTERRUPTED", "the call was ended before its answer came; it may have been done");
        }
    }
}
