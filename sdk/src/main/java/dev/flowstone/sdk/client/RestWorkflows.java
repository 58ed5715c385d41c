package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Call.Repeat;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Workflows over REST. */
final class RestWorkflows implements Workflows {
    private static final String ROOT = "/api/v1/workflows";

    private final Caller caller;
    private final Optional<Long> revision;

    RestWorkflows(Caller caller, Optional<Long> revision) {
        this.caller = requireNonNull(caller);
        this.revision = requireNonNull(revision);
    }

    @Override
    public Workflows atRevision(long expected) {
        return new RestWorkflows(caller, Optional.of(expected));
    }

    private <T> T change(Call call, Function<Tree, T> shape) {
        return caller.read(call.at(revision), shape);
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
        return change(Call.turn(ROOT).with(definition), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary openDraft(String id) {
        return change(Call.turn(path(id) + "/draft"), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary openDraft(String id, JsonNode definition) {
        return change(Call.turn(path(id) + "/draft").with(definition), WorkflowSummary::read);
    }

    @Override
    public WorkflowSummary discardDraft(String id) {
        return change(Call.delete(path(id) + "/draft").repeating(Repeat.DOES_MORE), WorkflowSummary::read);
    }

    @Override
    public PublishedWorkflow publish(String id) {
        return change(Call.post(path(id) + "/publish"), PublishedWorkflow::read);
    }

    @Override
    public PublishedWorkflow stage(String id) {
        return change(Call.post(path(id) + "/publish?autoActivate=false"), PublishedWorkflow::read);
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
        return change(
                Call.turn(path(id) + "/" + how),
                tree -> tree.word("status", WorkflowStatus.class, WorkflowStatus.UNKNOWN));
    }

    @Override
    public void delete(String id) {
        caller.call(Call.delete(path(id)).at(revision));
    }
}
