package dev.flowstone.server.api;

import static dev.flowstone.server.api.Stage.delete;
import static dev.flowstone.server.api.Stage.get;
import static dev.flowstone.server.api.Stage.post;
import static dev.flowstone.server.api.Stage.send;

import dev.flowstone.engine.template.Templates;
import dev.flowstone.server.api.GoodCalls.Preparation;
import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import dev.flowstone.server.api.Stage.Request;
import java.util.ArrayList;
import java.util.List;

/** The same of document templates and their sets. */
final class RefusedTemplateCalls {
    private static final String ROOT = "/api/v1/templates";
    private static final String SETS = ROOT + "/sets";
    private static final String ANSWERS = "{'answers':{'title':'A'}}";

    private final List<RefusedCall> all = new ArrayList<>();

    private RefusedTemplateCalls() {}

    static List<RefusedCall> all() {
        RefusedTemplateCalls calls = new RefusedTemplateCalls();
        calls.sets();
        calls.versions();
        calls.renderings();
        return calls.all;
    }

    private void call(String operation, String code, Preparation prepared) {
        all.add(new RefusedCall(operation, code, prepared));
    }

    private void sets() {
        call("createTemplateSet", "INVALID_STATE", stage -> {
            stage.templateSet();
            return post(SETS, "{'id':'briefs','displayName':'Others','team':'docs'}");
        });
        call("createTemplateSet", "LIMIT_EXCEEDED", stage -> {
            for (int i = 0; i < Templates.MOST_SETS; i++) {
                stage.done(post(SETS, "{'id':'s" + i + "','displayName':'S','team':'docs'}"));
            }
            return Stage.TEMPLATE_SET;
        });
        call("getTemplateSet", "TEMPLATE_SET_NOT_FOUND", _ -> get(SETS + "/none"));
        call("removeTemplateSet", "TEMPLATE_SET_NOT_FOUND", _ -> delete(SETS + "/none"));
        call("removeTemplateSet", "INVALID_STATE", stage -> {
            stage.template();
            return delete(SETS + "/briefs");
        });
        call("updateTemplateSet", "TEMPLATE_SET_NOT_FOUND", _ -> send("PUT", SETS + "/none", "{'isEnabled':false}"));
        call("updateTemplateSet", "PRECONDITION_FAILED", stage -> {
            Request update = send("PUT", stage.templateSet(), "{'isEnabled':false}");
            return new Request(update.method(), update.target(), update.body(), List.of("If-Match", "\"r7\""));
        });
    }

    private void versions() {
        call("writeTemplateVersion", "TEMPLATE_SET_NOT_FOUND", _ -> Stage.TEMPLATE);
        call("writeTemplateVersion", "WFENG005", stage -> {
            stage.templateSet();
            return post(Stage.TEMPLATE.target(), "{'displayName':'App','format':'text','body':'{{ answers.title'}");
        });
        call("writeTemplateVersion", "LIMIT_EXCEEDED", stage -> {
            stage.templateSet();
            String fields = "{'validation':{'jsonSchema':{'title':'" + "x".repeat(40_000) + "'}}}";
            return post(
                    Stage.TEMPLATE.target(),
                    "{'displayName':'App','format':'text','body':'b','fields':" + fields + "}");
        });
        call("writeTemplateVersion", "PRECONDITION_FAILED", stage -> {
            stage.template();
            Request other = post(Stage.TEMPLATE.target(), "{'displayName':'App','format':'text','body':'b'}");
            return new Request(other.method(), other.target(), other.body(), List.of("If-Match", "\"r0\""));
        });
        call("getTemplateOfSet", "WFENG004", stage -> get(stage.template() + "?version=2"));
        call("listTemplateVersions", "WFENG004", _ -> get(ROOT + "/briefs/app/versions"));
        call("enableTemplateVersion", "WFENG004", stage -> post(stage.template() + "/versions/2/enable", ""));
        call("disableTemplateVersion", "WFENG004", stage -> post(stage.template() + "/versions/x/disable", ""));
        call("getTemplate", "WFENG004", _ -> get(ROOT + "/app"));
        call("getTemplate", "TEMPLATE_AMBIGUOUS", stage -> {
            twice(stage);
            return get(ROOT + "/app");
        });
    }

    /** Templates of one id in two sets. */
    private static void twice(Stage stage) throws Exception {
        stage.template();
        stage.done(post(SETS, "{'id':'others','displayName':'Others','team':'docs'}"));
        stage.done(post(ROOT + "/others/app/versions", "{'displayName':'App','format':'text','body':'b'}"));
    }

    private void renderings() {
        call("renderTemplate", "WFENG004", _ -> post(ROOT + "/app/render", ANSWERS));
        call("renderTemplate", "TEMPLATE_AMBIGUOUS", stage -> {
            twice(stage);
            return post(ROOT + "/app/render", ANSWERS);
        });
        call("renderTemplate", "WFENG005", stage -> {
            stage.template();
            return post(ROOT + "/app/render", "{'answers':{'title':7}}");
        });
        call("renderTemplate", "INVALID_STATE", stage -> {
            stage.done(post(stage.template() + "/versions/1/disable", ""));
            return post(ROOT + "/app/render?version=1", ANSWERS);
        });
        call("renderTemplateOfSet", "WFENG004", _ -> post(ROOT + "/briefs/app/render", ANSWERS));
        call("renderTemplateOfSet", "WFENG005", stage -> post(stage.template() + "/render", ""));
        call("renderTemplateOfSet", "INVALID_STATE", stage -> {
            String template = stage.template();
            stage.done(send("PUT", SETS + "/briefs", "{'isEnabled':false}"));
            return post(template + "/render", ANSWERS);
        });
    }
}
