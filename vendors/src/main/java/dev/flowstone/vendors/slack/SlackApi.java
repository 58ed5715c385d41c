package dev.flowstone.vendors.slack;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Complaints;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Query;
import dev.flowstone.vendors.web.Vendor;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Slack's Web API. What isn't {@code ok} is a failure, by its word (docs.slack.dev, "Web API", "Evaluating responses"). */
final class SlackApi {
    static final Vendor SLACK = new Vendor("slack", "Slack", Optional.of("https://slack.com/api"), new Words());

    private final Supplier<OutboundClient> client;

    SlackApi(Supplier<OutboundClient> client) {
        this.client = client;
    }

    Attempt attempt(ActionContext context) throws ActionFailure {
        return new Attempt(Calls.of(SLACK, client, context));
    }

    /** The calls of one attempt. */
    record Attempt(Calls calls) {
        JsonNode get(Query query) throws ActionFailure, InterruptedException {
            return checked(calls.get("/" + query));
        }

        JsonNode post(String method, JsonNode body) throws ActionFailure, InterruptedException {
            return checked(calls.send("POST", "/" + method, body));
        }
    }

    private static JsonNode checked(JsonNode answer) throws ActionFailure {
        if (answer.path("ok").asBoolean(false)) {
            return answer;
        }
        Complaints words = SLACK.complaints();
        Fault fault = words.fault(answer).orElse(Fault.REFUSED);
        throw fault.of(
                new Fault.Answered(SLACK, words.said(answer), Optional.empty(), fault == Fault.FAILED),
                "error",
                answer.path("error").asString(""));
    }

    /** What is wrong is a word. */
    private static final class Words implements Complaints {
        @Override
        public String said(JsonNode answer) {
            String needed = answer.path("needed").asString("");
            return answer.path("error").asString("") + (needed.isEmpty() ? "" : " (it needs the scope " + needed + ")");
        }

        @Override
        public Optional<Fault> fault(JsonNode answer) {
            return Optional.ofNullable(meaning(answer.path("error").asString("")));
        }
    }

    private static @Nullable Fault meaning(String word) {
        return switch (word) {
            case "not_authed", "invalid_auth", "account_inactive", "token_revoked", "token_expired" ->
                Fault.UNAUTHENTICATED;
            case "missing_scope",
                    "no_permission",
                    "access_denied",
                    "accesslimited",
                    "ekm_access_denied",
                    "org_login_required",
                    "not_allowed_token_type",
                    "team_access_not_granted",
                    "not_in_channel",
                    "cant_update_message",
                    "restricted_action",
                    "restricted_action_read_only_channel",
                    "restricted_action_thread_only_channel",
                    "restricted_action_non_threadable_channel" -> Fault.FORBIDDEN;
            case "channel_not_found", "message_not_found", "thread_not_found", "user_not_found" -> Fault.NOT_FOUND;
            case "ratelimited", "rate_limited", "message_limit_exceeded" -> Fault.LIMIT;
            case "internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org" ->
                Fault.FAILED;
            default -> null;
        };
    }
}
