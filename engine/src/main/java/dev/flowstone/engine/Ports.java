package dev.flowstone.engine;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.mend.Projections;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.subject.Subjects;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.WorkflowStore;

/** Everything that the engine needs from outside, implemented by a database or by the testkit. */
public record Ports(
        Journal journal,
        Leases leases,
        Outbox outbox,
        Inbox inbox,
        RunReader runs,
        HumanTaskReader humanTasks,
        Feed feed,
        WorkflowStore workflows,
        Clock clock,
        Subjects subjects,
        Transactions transactions,
        Settings settings,
        PolicyStore policies,
        Projections projections,
        DeadLetterStore deadLetters) {
    /** Ports of a place that keeps no dead letters. */
    public Ports(
            Journal journal,
            Leases leases,
            Outbox outbox,
            Inbox inbox,
            RunReader runs,
            HumanTaskReader humanTasks,
            Feed feed,
            WorkflowStore workflows,
            Clock clock,
            Subjects subjects,
            Transactions transactions,
            Settings settings,
            PolicyStore policies,
            Projections projections) {
        this(
                journal,
                leases,
                outbox,
                inbox,
                runs,
                humanTasks,
                feed,
                workflows,
                clock,
                subjects,
                transactions,
                settings,
                policies,
                projections,
                DeadLetterStore.NONE);
    }

    /** Ports of a place whose rows are not kept apart from its log. */
    public Ports(
            Journal journal,
            Leases leases,
            Outbox outbox,
            Inbox inbox,
            RunReader runs,
            HumanTaskReader humanTasks,
            Feed feed,
            WorkflowStore workflows,
            Clock clock,
            Subjects subjects,
            Transactions transactions,
            Settings settings,
            PolicyStore policies) {
        this(
                journal,
                leases,
                outbox,
                inbox,
                runs,
                humanTasks,
                feed,
                workflows,
                clock,
                subjects,
                transactions,
                settings,
                policies,
                Projections.NONE);
    }

    /** Ports of a place where nobody holds scopes, and no policy is published. */
    public Ports(
            Journal journal,
            Leases leases,
            Outbox outbox,
            Inbox inbox,
            RunReader runs,
            HumanTaskReader humanTasks,
            Feed feed,
            WorkflowStore workflows,
            Clock clock,
            Subjects subjects,
            Transactions transactions) {
        this(
                journal,
                leases,
                outbox,
                inbox,
                runs,
                humanTasks,
                feed,
                workflows,
                clock,
                subjects,
                transactions,
                Settings.NONE,
                PolicyStore.NONE);
    }

    /** Ports of a place where nothing edits subjects, either. */
    public Ports(
            Journal journal,
            Leases leases,
            Outbox outbox,
            Inbox inbox,
            RunReader runs,
            HumanTaskReader humanTasks,
            Feed feed,
            WorkflowStore workflows,
            Clock clock) {
        this(
                journal,
                leases,
                outbox,
                inbox,
                runs,
                humanTasks,
                feed,
                workflows,
                clock,
                Subjects.NONE,
                Transactions.NONE);
    }

    public Ports {
        requireNonNull(journal);
        requireNonNull(leases);
        requireNonNull(outbox);
        requireNonNull(inbox);
        requireNonNull(runs);
        requireNonNull(humanTasks);
        requireNonNull(feed);
        requireNonNull(workflows);
        requireNonNull(clock);
        requireNonNull(subjects);
        requireNonNull(transactions);
        requireNonNull(settings);
        requireNonNull(policies);
        requireNonNull(projections);
        requireNonNull(deadLetters);
    }
}
