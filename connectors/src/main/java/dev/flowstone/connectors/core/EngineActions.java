package dev.flowstone.connectors.core;

import dev.flowstone.connectors.catalog.DescribedAction;
import java.util.List;

/** What the engine's own actions are, for the catalog: they run below this SPI, and read their parameters leniently. */
public final class EngineActions {
    private static final String ANY_OBJECT = "{\"type\": \"object\"}";

    private EngineActions() {}

    public static List<DescribedAction> described() {
        return List.of(
                DescribedAction.of(
                        DescribedAction.named("core.echo", "Echo", "Answers its parameters, as they were rendered.")
                                .category("Tests", "json"),
                        ANY_OBJECT,
                        ANY_OBJECT),
                DescribedAction.of(
                        DescribedAction.named("core.fail", "Fail", "Fails, every time.")
                                .category("Tests", "error"),
                        """
                        {"type": "object",
                         "properties": {
                           "code": {"type": "string", "default": "FAILED", "description": "the error's code"},
                           "message": {"type": "string", "description": "the error's message"},
                           "class": {"type": "string", "default": "permanent", "description": "whether it is tried again",
                                     "enum": ["retryable", "permanent", "policy_denied", "external_limit"]},
                           "retryAfterMs": {"type": "integer", "minimum": 0,
                                            "description": "the least pause before the next attempt of an external_limit"}}}
                        """,
                        "{\"not\": {}}"),
                DescribedAction.of(
                        DescribedAction.named(
                                        "core.sometimes-fails",
                                        "Fail sometimes",
                                        "Fails its first attempts, then answers its parameters; which attempts fail is no chance.")
                                .category("Tests", "error", "retry"),
                        """
                        {"type": "object",
                         "properties": {
                           "failures": {"type": "integer", "minimum": 0, "default": 1,
                                        "description": "how many attempts fail, retryable"}}}
                        """,
                        ANY_OBJECT),
                DescribedAction.of(
                        DescribedAction.named("core.delay", "Delay", "Waits: a durable timer, not a sleeping thread.")
                                .category("Time", "timer", "wait"),
                        """
                        {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                         "properties": {
                           "durationMs": {"type": "integer", "minimum": 0, "description": "milliseconds"},
                           "duration": {"type": "string", "description": "ISO 8601, such as PT90S"}}}
                        """,
                        """
                        {"type": "object", "required": ["dueAt", "firedAt"],
                         "properties": {
                           "dueAt": {"type": "string", "format": "date-time"},
                           "firedAt": {"type": "string", "format": "date-time"}}}
                        """));
    }
}
