package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.get;
import static dev.flowstone.server.api.Stage.post;

import dev.flowstone.server.api.GoodCalls.Preparation;
import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import dev.flowstone.server.api.Stage.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The same of workflow templates. */
final class RefusedWorkflowTemplateCalls {
    private static final String ROOT = "/api/v1/templates/workflows";
    private static final String NOT_FOUND = "WORKFLOW_TEMPLATE_NOT_FOUND";
    private static final String MINE = "{'displayName':'Mine','workflowId':'mine','config':{'text':'hi'}}";
    private static final String[] STALE = {"If-Match", "\"r7\""};

    private final List<RefusedCall> all = new ArrayList<>();

    private RefusedWorkflowTemplateCalls() {}

    static List<RefusedCall> all() {
        RefusedWorkflowTemplateCalls calls = new RefusedWorkflowTemplateCalls();
        calls.unknown();
        calls.written();
        calls.stale();
        calls.instantiated();
        return calls.all;
    }

    private void call(String operation, String code, Preparation prepared) {
        all.add(new RefusedCall(operation, code, prepared));
    }

    private static Request with(Request request, String... headers) {
        return new Request(request.method(), request.target(), request.body(), List.of(headers));
    }

    private void unknown() {
        call("getWorkflowTemplate", NOT_FOUND, stage -> get(stage.workflowTemplate() + "?version=2"));
        call(
                "writeWorkflowTemplateVersion",
                NOT_FOUND,
                _ -> post(ROOT + "/none/versions", Stage.workflowTemplateVersion("core.echo")));
        call("enableWorkflowTemplate", NOT_FOUND, _ -> post(ROOT + "/sets/enable", ""));
        call("disableWorkflowTemplate", NOT_FOUND, _ -> post(ROOT + "/none/disable", ""));
        call("instantiateWorkflowTemplate", NOT_FOUND, _ -> post(ROOT + "/none/instantiate", MINE));
    }

    private void written() {
        call("createWorkflowTemplate", "WFENG005", _ -> replaced("core.echo", "core.eccho"));
        call("createWorkflowTemplate", "INVALID_STATE", stage -> {
            stage.workflowTemplate();
            return replaced("Says something.", "Says something else.");
        });
        call(
                "createWorkflowTemplate",
                "LIMIT_EXCEEDED",
                _ -> replaced("\"type\":\"object\"", "\"type\":\"object\",\"title\":\"" + "x".repeat(40_000) + "\""));
        call(
                "writeWorkflowTemplateVersion",
                "WFENG005",
                stage -> post(stage.workflowTemplate() + "/versions", Stage.workflowTemplateVersion("core.eccho")));
        call(
                "writeWorkflowTemplateVersion",
                "LIMIT_EXCEEDED",
                stage -> post(
                        stage.workflowTemplate() + "/versions",
                        Stage.workflowTemplateVersion("core.echo")
                                .replace("'type':'object'", "'type':'object','title':'" + "x".repeat(40_000) + "'")));
    }

    private static Request replaced(String text, String other) {
        Request create = Stage.WORKFLOW_TEMPLATE;
        return new Request(
                create.method(),
                create.target(),
                Optional.of(create.body().orElseThrow().replace(text, other)));
    }

    private void stale() {
        call(
                "writeWorkflowTemplateVersion",
                "PRECONDITION_FAILED",
                stage -> with(
                        post(stage.workflowTemplate() + "/versions", Stage.workflowTemplateVersion("core.echo")),
                        STALE));
        call(
                "disableWorkflowTemplate",
                "PRECONDITION_FAILED",
                stage -> with(post(stage.workflowTemplate() + "/disable", ""), STALE));
        call("enableWorkflowTemplate", "PRECONDITION_FAILED", stage -> {
            stage.done(post(stage.workflowTemplate() + "/disable", ""));
            return with(post(ROOT + "/app/enable", ""), STALE);
        });
    }

    private void instantiated() {
        String target = ROOT + "/app/instantiate";
        call("instantiateWorkflowTemplate", "WFENG005", stage -> {
            stage.workflowTemplate();
            return post(target, "{'displayName':'Mine','config':{'text':7}}");
        });
        call("instantiateWorkflowTemplate", "INVALID_STATE", stage -> {
            stage.done(post(stage.workflowTemplate() + "/disable", ""));
            return post(target, MINE);
        });
        call("instantiateWorkflowTemplate", "WORKFLOW_STATE", stage -> {
            stage.workflowTemplate();
            stage.done(post(target, MINE));
            return post(target, MINE.replace("hi", "ho"));
        });
        call("instantiateWorkflowTemplate", "IDEMPOTENCY_KEY_REUSED", stage -> {
            stage.workflowTemplate();
            String one = "{'displayName':'Mine','config':{'text':'hi'}}";
            stage.done(with(post(target, one), "Idempotency-Key", "k"));
            return with(post(target, one.replace("hi", "ho")), "Idempotency-Key", "k");
        });
    }
}
