package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Signer;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.condition.Activation;
import dev.flowstone.triggers.webhook.WebhookRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a body says of a trigger.
 *
 * @param enabled empty if it doesn't say
 */
record TriggerForm(WorkflowId workflow, TriggerKind kind, Optional<Boolean> enabled, Wish wish) {
    static final String WORKFLOW = "workflowId";
    static final String TYPE = "triggerType";
    static final String ENABLED = "isEnabled";
    static final String CONFIG = "config";
    static final String CONDITION = "activationCondition";
    static final String SECRETS = "secrets";

    /** Stands for a secret that is there: it is shown to nobody. */
    static final String SET = "$set";

    private static final Set<String> MEMBERS = Set.of(WORKFLOW, TYPE, ENABLED, CONFIG, CONDITION);
    private static final int NAME = 250;
    private static final int LONGEST_CONDITION = 4_096;

    TriggerForm {
        requireNonNull(workflow);
        requireNonNull(kind);
        requireNonNull(enabled);
        requireNonNull(wish);
    }

    /** Of a new one. */
    static TriggerForm fresh(Fields body, Activation activation) throws ProblemException {
        body.only(MEMBERS);
        WorkflowId workflow = body.meaning(WORKFLOW, NAME, WorkflowId::new).orElseThrow(() -> body.missing(WORKFLOW));
        TriggerKind kind = body.meaning(TYPE, NAME, TriggerForm::kind).orElseThrow(() -> body.missing(TYPE));
        Wish wish = wish(body, kind, Optional.empty(), activation);
        if (kind == TriggerKind.WEBHOOK && wish.secrets().isEmpty()) {
            throw body.object(CONFIG).orElse(body).missing(body.object(CONFIG).isEmpty() ? CONFIG : SECRETS);
        }
        return new TriggerForm(workflow, kind, enabled(body), wish);
    }

    /** Of one that there is, which stays of its workflow and kind; so does whatever the body leaves out. */
    static TriggerForm of(Fields body, Trigger there, Activation activation) throws ProblemException {
        body.only(MEMBERS);
        WorkflowId workflow = there.target().workflow();
        if (!body.meaning(WORKFLOW, NAME, WorkflowId::new).orElse(workflow).equals(workflow)) {
            throw body.wrong(
                    WORKFLOW,
                    "the trigger is of workflow '" + workflow + "', and stays so",
                    "leave it out, or make another trigger");
        }
        if (body.meaning(TYPE, NAME, TriggerForm::kind).orElse(there.kind()) != there.kind()) {
            throw body.wrong(
                    TYPE,
                    "the trigger is of type " + there.kind().word() + ", and stays so",
                    "leave it out, or make another trigger");
        }
        return new TriggerForm(
                workflow, there.kind(), enabled(body), wish(body, there.kind(), Optional.of(there), activation));
    }

    private static TriggerKind kind(String text) {
        return TriggerKind.of(text)
                .orElseThrow(
                        () -> new IllegalArgumentException("'triggerType' takes Webhook, Schedule, Event or Manual"));
    }

    private static Optional<Boolean> enabled(Fields body) throws ProblemException {
        boolean said = body.value(ENABLED).filter(it -> it != JsonNull.NULL).isPresent();
        return said ? Optional.of(body.flag(ENABLED, true)) : Optional.empty();
    }

    /** @param there whose what is left out stays; empty for a new one */
    private static Wish wish(Fields body, TriggerKind kind, Optional<Trigger> there, Activation activation)
            throws ProblemException {
        Optional<String> condition = condition(body, there, activation);
        Optional<Fields> config = body.object(CONFIG);
        if (config.isEmpty() && there.isEmpty() && (kind == TriggerKind.SCHEDULE || kind == TriggerKind.EVENT)) {
            throw body.missing(CONFIG);
        }
        if (config.isEmpty()) {
            return new Wish(there.map(Trigger::config).orElseGet(() -> usual(kind)), Optional.empty(), condition);
        }
        return switch (kind) {
            case WEBHOOK -> webhook(config.get(), there, condition);
            case SCHEDULE -> new Wish(ScheduleForm.rules(config.get(), there).toJson(), Optional.empty(), condition);
            case EVENT -> new Wish(EventTriggerForm.config(config.get(), there), Optional.empty(), condition);
            case MANUAL -> new Wish(config.get().only(Set.of()).json(), Optional.empty(), condition);
        };
    }

    /** Left out, it stays; null takes it away. */
    private static Optional<String> condition(Fields body, Optional<Trigger> there, Activation activation)
            throws ProblemException {
        Optional<String> condition = body.prose(CONDITION, LONGEST_CONDITION);
        Optional<String> fault = condition.flatMap(activation::fault);
        if (fault.isPresent()) {
            throw body.wrong(CONDITION, fault.get(), "repair the expression: docs/expressions.md");
        }
        return body.value(CONDITION).isPresent() ? condition : there.flatMap(Trigger::condition);
    }

    private static JsonObject usual(TriggerKind kind) {
        return kind == TriggerKind.WEBHOOK ? rules(WebhookRules.USUAL_SECONDS).toJson() : JsonObject.EMPTY;
    }

    private static Wish webhook(Fields config, Optional<Trigger> there, Optional<String> condition)
            throws ProblemException {
        config.only(Set.of(SECRETS, WebhookRules.TOLERANCE));
        Optional<Integer> seconds =
                config.number(WebhookRules.TOLERANCE, WebhookRules.LEAST_SECONDS, WebhookRules.MOST_SECONDS);
        JsonObject rules = config.value(WebhookRules.TOLERANCE).isEmpty() && there.isPresent()
                ? there.get().config()
                : rules(seconds.orElse(WebhookRules.USUAL_SECONDS)).toJson();
        Optional<List<Signer>> secrets = config.meanings(SECRETS, Triggers.MOST_SECRETS, NAME, TriggerForm::signer);
        return new Wish(rules, secrets, condition);
    }

    private static WebhookRules rules(int seconds) {
        return new WebhookRules(Duration.ofSeconds(seconds));
    }

    private static Signer signer(String text) {
        return text.equals(SET)
                ? new Signer.Kept()
                : new Signer.Fresh(new TriggerSecret(WebhookSecret.parse(text).text()));
    }
}
