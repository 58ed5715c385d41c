package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to start an execution with.
 *
 * @param trigger what conditions and templates see under that name: JSON, or whatever Jackson makes JSON of
 * @param spec the same under that name
 * @param requestId of the caller's, such as the id of the event that it is for: the same one starts nothing twice. If there is none
 *     the client makes one, which holds for the attempts of one call
 * @param principal who stands in the events as the actor; who calls if left out
 * @param priority 0 to 1,000; recorded, and nothing else
 * @param subject what it is about
 * @param draft whether the open draft is started, where the installation allows that
 */
public record Start(
        String workflowId,
        @Nullable Object trigger,
        @Nullable Object spec,
        Optional<String> requestId,
        Optional<Principal> principal,
        Optional<Integer> priority,
        Optional<Subject> subject,
        boolean draft) {
    public Start {
        requireNonNull(workflowId);
        requireNonNull(requestId);
        requireNonNull(principal);
        requireNonNull(priority);
        requireNonNull(subject);
    }

    /** Who an execution is started for. */
    public record Principal(String userId, Optional<String> displayName, Optional<String> email) {
        public Principal {
            requireNonNull(userId);
            requireNonNull(displayName);
            requireNonNull(email);
        }

        Body body() {
            return new Body()
                    .put("userId", userId)
                    .put("displayName", displayName)
                    .put("email", email);
        }
    }

    /** The current version, without input. */
    public static Start of(String workflowId) {
        return new Start(
                workflowId, null, null, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    public Start withTrigger(Object value) {
        return new Start(workflowId, value, spec, requestId, principal, priority, subject, draft);
    }

    public Start withSpec(Object value) {
        return new Start(workflowId, trigger, value, requestId, principal, priority, subject, draft);
    }

    public Start withRequestId(String id) {
        return new Start(workflowId, trigger, spec, Optional.of(id), principal, priority, subject, draft);
    }

    public Start withPrincipal(Principal who) {
        return new Start(workflowId, trigger, spec, requestId, Optional.of(who), priority, subject, draft);
    }

    public Start withPriority(int value) {
        return new Start(workflowId, trigger, spec, requestId, principal, Optional.of(value), subject, draft);
    }

    public Start withSubject(Subject about) {
        return new Start(workflowId, trigger, spec, requestId, principal, priority, Optional.of(about), draft);
    }

    public Start asDraft() {
        return new Start(workflowId, trigger, spec, requestId, principal, priority, subject, true);
    }

    Body body(Caller caller) {
        return new Body()
                .put("trigger", Optional.ofNullable(trigger).map(caller::tree))
                .put("spec", Optional.ofNullable(spec).map(caller::tree))
                .put("principal", principal.map(it -> it.body().json()))
                .put("priority", priority)
                .put("subject", subject.map(it -> it.body().json()));
    }
}
