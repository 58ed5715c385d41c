package dev.flowstone.server.metric;

import static dev.flowstone.server.metric.Meters.MOST;

/**
 * What is counted of the engine. The names without a prefix are dataflow.md's own (§14.3); the others say what
 * enterprise.md (§14) and envelope.md ask for in words.
 */
final class EngineFamilies {
    private static final String WORKFLOW = "workflowId";
    private static final String ACTION = "actionType";

    final Spread decisionLatency;
    final Counts decisions;
    final Counts commits;
    final Spread commitDuration;
    final Spread commitDecisions;
    final Counts events;
    final Spread timerLag;
    final Counts runsStarted;
    final Counts runsEnded;
    final Counts incidents;
    final Counts holds;
    final Counts inputs;
    final Counts compensations;
    final Counts slaBreaches;
    final Spread semaphoreWait;
    final Spread stepDuration;
    final Spread workflowDuration;
    final Counts workflowSuccess;
    final Counts workflowFailure;
    final Spread actionDuration;
    final Spread scheduleToStart;
    final Counts actionRetry;
    final Counts actionFailure;
    final Counts subworkflows;
    final Counts deliveries;
    final Spread deliveryDuration;

    EngineFamilies(Meters meters) {
        decisionLatency = meters.add(new Spread(
                "flowstone_decision_latency_seconds",
                "From a command's arrival at its shard to its durable decision.",
                Scale.QUICK,
                1));
        decisions = meters.add(new Counts("flowstone_decisions_total", "Commands decided, durably.", 10, "outcome"));
        commits = meters.add(new Counts("flowstone_commits_total", "Commits of shards.", 1));
        commitDuration = meters.add(
                new Spread("flowstone_commit_duration_seconds", "Of one commit of a shard.", Scale.QUICK, 1));
        commitDecisions =
                meters.add(new Spread("flowstone_commit_decisions", "Commands in one commit.", Scale.SIZES, 1));
        events =
                meters.add(new Counts("flowstone_events_total", "Events stored, of runs and aggregates.", 500, "kind"));
        timerLag = meters.add(new Spread(
                "flowstone_timer_lag_seconds", "From when a timer was due to when it was taken.", Scale.QUICK, 1));
        runsStarted = meters.add(new Counts("flowstone_runs_started_total", "Runs begun.", MOST, "tenant"));
        runsEnded = meters.add(new Counts("flowstone_runs_ended_total", "Runs ended.", 4 * MOST, "tenant", "status"));
        incidents = meters.add(new Counts("flowstone_incidents_total", "Incidents raised.", 1));
        holds = meters.add(new Counts(
                "flowstone_holds_total", "Suspensions, drains and their ends, as runs record them.", 10, "change"));
        inputs = meters.add(new Counts(
                "flowstone_buffered_inputs_total",
                "Input that came while a run was held, and its way out.",
                10,
                "step"));
        compensations =
                meters.add(new Counts("flowstone_compensations_total", "Undoings that have ended.", 10, "result"));
        slaBreaches = meters.add(new Counts(
                "flowstone_sla_breaches_total",
                "Human tasks that were escalated, or ended by their time.",
                10,
                "kind"));
        semaphoreWait = meters.add(new Spread(
                "flowstone_semaphore_wait_seconds", "From asking for permits to having them.", Scale.LONG, 1));
        stepDuration = meters.add(new Spread(
                "flowstone_step_duration_seconds", "Attempts of tasks; human tasks.", Scale.LONG, 10, "node_type"));
        workflowDuration = meters.add(new Spread(
                "workflow_duration_seconds",
                "From a run's birth to its end.",
                Scale.LONG,
                3 * MOST,
                WORKFLOW,
                "status"));
        workflowSuccess = meters.add(new Counts("workflow_success_total", "Runs that succeeded.", MOST, WORKFLOW));
        workflowFailure = meters.add(
                new Counts("workflow_failure_total", "Runs that ended otherwise.", 2 * MOST, WORKFLOW, "reason"));
        actionDuration = meters.add(new Spread(
                "action_duration_seconds", "Of one attempt by a handler of this node.", Scale.QUICK, MOST, ACTION));
        scheduleToStart = meters.add(new Spread(
                "flowstone_schedule_to_start_seconds",
                "From when an attempt was handed out at this node to its beginning.",
                Scale.QUICK,
                MOST,
                ACTION));
        actionRetry = meters.add(new Counts("action_retry_total", "Attempts after the first.", MOST, ACTION));
        actionFailure =
                meters.add(new Counts("action_failure_total", "Attempts that failed.", 2 * MOST, ACTION, "status"));
        subworkflows =
                meters.add(new Counts("subworkflow_invocation_total", "Children started.", MOST, "parentWorkflowId"));
        deliveries = meters.add(new Counts(
                "flowstone_outbox_deliveries_total", "Tries to deliver a message.", 3 * MOST, "destination", "result"));
        deliveryDuration = meters.add(new Spread(
                "flowstone_outbox_delivery_duration_seconds", "Of one try.", Scale.QUICK, MOST, "destination"));
    }
}
