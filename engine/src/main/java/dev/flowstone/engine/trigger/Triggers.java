package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The triggers of workflows. A change is made whole or not at all, and is what every node sees from its commit on; {@code expected}, if
 * it is given, is the revision that it is for. Thread-safe.
 */
public interface Triggers {
    /** Of a tenant. */
    int MOST = 20_000;

    /** Secrets of one trigger that hold at once. */
    int MOST_SECRETS = 2;

    /** Has none, and takes none. */
    static Triggers none() {
        return new NoTriggers();
    }

    /** Those of a tenant, by id, at most a page. */
    List<Trigger> list(TenantId tenant, Filter filter, Optional<TriggerId> after, int limit) throws JournalException;

    Optional<Trigger> find(TriggerKey key) throws JournalException;

    /**
     * Makes one.
     *
     * @param request that may be repeated: again under the same key it changes nothing, and answers the trigger that it made
     */
    Change create(
            TriggerKey key,
            WorkflowId workflow,
            TriggerKind kind,
            boolean enabled,
            Wish wish,
            Optional<Request> request,
            Actor by)
            throws JournalException;

    /**
     * Has it do something else.
     *
     * @param enabled empty to leave it as it is
     */
    Change update(TriggerKey key, Optional<Boolean> enabled, Wish wish, OptionalLong expected, Actor by)
            throws JournalException;

    /** Turns it on or off; nothing happens if it is so already. */
    Change enable(TriggerKey key, boolean enabled, OptionalLong expected, Actor by) throws JournalException;

    Change remove(TriggerKey key, OptionalLong expected) throws JournalException;

    /** Those that there are, with what signs their deliveries, whosever they are: for who lets deliveries in. */
    List<Armed> armed(List<TriggerId> ids) throws JournalException;

    TriggerDeliveries deliveries();

    /** Schedule triggers for those who fire them. */
    TriggerSchedules schedules();

    /** Event triggers for those who follow events. */
    EventTriggers events();

    /** Which ones; empty members let all pass. */
    record Filter(Optional<WorkflowId> workflow, Optional<TriggerKind> kind, Optional<Boolean> fires) {
        public Filter {
            requireNonNull(workflow);
            requireNonNull(kind);
            requireNonNull(fires);
        }
    }

    /**
     * What people want of one.
     *
     * @param secrets instead of those that there are; empty to leave them as they are
     */
    record Wish(JsonObject config, Optional<List<Signer>> secrets, Optional<String> condition) {
        public Wish {
            requireNonNull(config);
            secrets = secrets.map(List::copyOf);
            requireNonNull(condition);
        }
    }

    /**
     * A call that may be repeated.
     *
     * @param key digest of what its caller calls it, in their tenant
     * @param content digest of what it says
     */
    record Request(Sha256 key, Sha256 content) {
        public Request {
            requireNonNull(key);
            requireNonNull(content);
        }
    }

    /** One of the secrets that are to sign. */
    sealed interface Signer {
        /** The next of those that there are, in their order. */
        record Kept() implements Signer {}

        record Fresh(TriggerSecret secret) implements Signer {
            public Fresh {
                requireNonNull(secret);
            }
        }
    }

    /** A trigger and what signs its deliveries. */
    record Armed(Trigger trigger, List<TriggerSecret> secrets) {
        public Armed {
            requireNonNull(trigger);
            secrets = List.copyOf(secrets);
        }
    }

    /** What came of a change. */
    sealed interface Change {
        /** It is done, or was so already. */
        record Made(boolean created, Trigger trigger) implements Change {
            public Made {
                requireNonNull(trigger);
            }
        }

        record Removed() implements Change {}

        /** There is none of this id. */
        record Unknown() implements Change {}

        /** There is no such workflow. */
        record NoWorkflow() implements Change {}

        /** The tenant has {@link Triggers#MOST}. */
        record TooMany() implements Change {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements Change {}

        /** Another request made it under this key. */
        record OtherRequest() implements Change {}

        /** This request made one that was removed since. */
        record Gone() implements Change {}

        /** More secrets are to be kept than there are. */
        record NoSuchSecret(int secrets) implements Change {}
    }
}
