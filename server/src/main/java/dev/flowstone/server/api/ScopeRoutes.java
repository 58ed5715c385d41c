package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Handler;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What operators do to whole scopes (kernel rule R25). A change is durable when it is answered; it is answered with 202 if
 * some shard has not yet acknowledged it, or if nobody can tell now.
 */
final class ScopeRoutes {
    private static final String ROOT = "/api/v1/control";
    private static final String REASON = "reason";
    private static final String SCOPE = "scope";
    private static final String WORKFLOW = "workflowId";
    private static final int NAME = 200;

    private final ScopeControl control;
    private final Duration patience;

    /** @param patience how long a change waits for shards to acknowledge it */
    ScopeRoutes(ScopeControl control, Duration patience) {
        this.control = requireNonNull(control);
        this.patience = requireNonNull(patience);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.CONTROL_READ, ControlDocs.SETTINGS, this::list),
                route("suspend", ControlDocs.SUSPEND_SCOPE, this::suspend),
                route("resume", ControlDocs.RESUME_SCOPE, this::resume),
                route("drain", ControlDocs.DRAIN_SCOPE, this::drain));
    }

    private static Route route(String verb, Doc doc, Handler handler) {
        return Route.post(ROOT + "/" + verb, Scope.CONTROL_TENANT, doc, BodyRule.REQUIRED, handler);
    }

    private Reply suspend(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(SCOPE, WORKFLOW, REASON, "timers", "input"));
        return change(SettingRequest.suspend(
                scope(call, body),
                ControlRoutes.policy(body),
                ControlRoutes.reason(body),
                call.caller().principal()));
    }

    private Reply drain(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(SCOPE, WORKFLOW, REASON, "timers", "input", ControlRoutes.LIFE));
        return change(SettingRequest.drain(
                scope(call, body),
                ControlRoutes.policy(body),
                ControlRoutes.life(body),
                ControlRoutes.reason(body),
                call.caller().principal()));
    }

    private Reply resume(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(SCOPE, WORKFLOW, REASON));
        return change(SettingRequest.resume(
                scope(call, body), ControlRoutes.reason(body), call.caller().principal()));
    }

    /** Of the caller's tenant; the system is nobody's, and takes a right of its own. */
    private static SettingScope scope(Call call, Fields body) throws ProblemException {
        String word = body.requiredText(SCOPE, NAME);
        Optional<WorkflowId> workflow = body.meaning(WORKFLOW, NAME, WorkflowId::new);
        if (workflow.isPresent() != word.equals("workflow")) {
            throw body.wrong(
                    WORKFLOW,
                    "'workflowId' stands beside \"scope\": \"workflow\", and only there",
                    "name the workflow, or leave it out");
        }
        return switch (word) {
            case "workflow" -> new SettingScope.Workflow(call.tenant(), workflow.orElseThrow());
            case "tenant" -> new SettingScope.Tenant(call.tenant());
            case "system" -> {
                if (!call.caller().scopes().contains(Scope.CONTROL_SYSTEM)) {
                    throw Problem.of(
                                    ProblemCode.FORBIDDEN,
                                    "the system's setting takes the scope " + Scope.CONTROL_SYSTEM)
                            .exception();
                }
                yield new SettingScope.Everything();
            }
            default -> throw body.wrong(SCOPE, "'scope' is workflow, tenant or system", "send one of them");
        };
    }

    private Reply change(SettingRequest request) throws JournalException {
        long number = control.change(request);
        ScopeControl.Heeding heeding = control.await(number, patience);
        JsonObject json = JsonObject.builder()
                .put("number", number)
                .put(SCOPE, request.scope().text())
                .put("acknowledged", JsonBoolean.of(heeding.byAll()))
                .put("missing", shards(heeding.missing()))
                .build();
        return Reply.json(heeding.byAll() ? 200 : 202, json);
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        control.refresh();
        SettingLog log = control.log();
        Collection<ScopeSetting> inForce = log.inForce();
        List<JsonValue> current = inForce.stream()
                .filter(row -> isVisible(row, call.tenant()))
                .<JsonValue>map(row -> json(row, true))
                .toList();
        int limit = Page.limit(call.query());
        List<JsonValue> items = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (long number = before(call, log.newest()) - 1; number >= 1; number--) {
            ScopeSetting row = log.row(number);
            if (!isVisible(row, call.tenant())) {
                continue;
            }
            if (items.size() == limit) {
                next = Optional.of(Page.cursor(Long.toString(number + 1)));
                break;
            }
            items.add(json(row, inForce.contains(row)));
        }
        JsonObject page = new Page(items, next).toJson();
        JsonObject.Builder json = JsonObject.builder();
        page.members().forEach(json::put);
        return Reply.json(
                200,
                json.put("number", log.newest())
                        .put("inForce", new JsonArray(current))
                        .put("shards", shards(control.acknowledgements()))
                        .build());
    }

    private static long before(Call call, long newest) throws ProblemException {
        Optional<String> key = Page.key(call.query(), Page.AFTER);
        if (key.isEmpty()) {
            return newest + 1;
        }
        if (!key.get().matches("[0-9]{1,15}")) {
            throw Page.badCursor(Page.AFTER);
        }
        return Math.min(Long.parseLong(key.get()), newest + 1);
    }

    /** What concerns the tenant's runs; other tenants' settings are nobody's business. */
    private static boolean isVisible(ScopeSetting row, TenantId tenant) {
        return row.scope().tenantId().map(tenant::equals).orElse(true);
    }

    private static JsonObject json(ScopeSetting row, boolean inForce) {
        return JsonObject.builder()
                .put("number", row.number())
                .put("at", row.at().toString())
                .put(SCOPE, row.scope().text())
                .put("mode", row.mode().name().toLowerCase(Locale.ROOT))
                .put("timers", row.policy().timers().name().toLowerCase(Locale.ROOT))
                .put("input", row.policy().input().name().toLowerCase(Locale.ROOT))
                .put(
                        ControlRoutes.LIFE,
                        row.timeToLive().isZero()
                                ? JsonNull.NULL
                                : JsonNumber.of(row.timeToLive().toSeconds()))
                .put(REASON, row.reason())
                .put("actor", row.actor().toString())
                .put("inForce", JsonBoolean.of(inForce))
                .build();
    }

    private static JsonArray shards(List<ShardAcknowledgement> shards) {
        return new JsonArray(shards.stream()
                .<JsonValue>map(shard -> JsonObject.builder()
                        .put("shard", shard.shard().number())
                        .put("node", new JsonString(shard.holder()))
                        .put("acknowledged", shard.number())
                        .build())
                .toList());
    }
}
