package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import tools.jackson.databind.JsonNode;

/** Workflows over REST. */
final class RestWorkflows implements Workflows {
    private static final String ROOT = "/api/v1/workflows";

    private final Caller caller;

    RestWorkflows(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    private static String path(String id) {
        return ROOT + "/" + segment(id);
    }

    @Override
    public Listing<WorkflowSummary> list(WorkflowFilter filter) {
        return new RestListing<>(caller, ROOT, filter.query(), WorkflowSummary::read);
    }

    @Override
    public Workflow get(String id) {
        return caller.read(Call.get(path(id)), Workflow::read);
    }

    @Override
    public Workflow get(String id, int version) {
        return caller.read(Call.get(path(id) + "?version=" + version), Workflow::read);
    }

    @Override
    public Workflow draft(String id) {
        return caller.read(Call.get(path(id) + "?version=draft"), Workflow::read);
    }

    @Override
    public WorkflowSummary save(JsonNode definition) {
        return caller.read(Call.turn(ROOT).with(definition), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary openDraft(String id) {
        return caller.read(Call.turn(path(id) + "/draft"), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary openDraft(String id, JsonNode definition) {
        return caller.read(Call.turn(path(id) + "/draft").with(definition), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary discardDraft(String id) {
        return caller.read(Call.delete(path(id) + "/draft").repeating(Call.Repeat.HARMLESS), WorkflowSummary::read);
    }

    @Override
    public PublishedWorkflow publish(String id) {
        return caller.read(Call.turn(path(id) + "/publish"), PublishedWorkflow::read);
    }

    @Override
    public PublishedWorkflow stage(String id) {
        return caller.read(Call.turn(path(id) + "/publish?autoActivate=false"), PublishedWorkflow::read);
    }

    @Override
    public WorkflowStatus archive(String id) {
        return turn(id, "archive");
    }

    @Override
    public WorkflowStatus reactivate(String id) {
        return turn(id, "reactivate");
    }

    private WorkflowStatus turn(String id, String how) {
        return caller.read(
                Call.turn(path(id) + "/" + how),
                tree -> tree.word("status", WorkflowStatus.class, WorkflowStatus.UNKNOWN));
    }

    @Override
    public void delete(String id) {
        caller.call(Call.delete(path(id)));
    }
}
