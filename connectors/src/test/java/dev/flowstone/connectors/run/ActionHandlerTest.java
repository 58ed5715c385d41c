package dev.flowstone.connectors.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.action.Credential;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.LookupFailedException;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.PassThroughHeaders;
import dev.flowstone.action.Requester;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.connectors.bind.Binder;
import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.RequesterLookup;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** What an action sees, and what its run is told of it. */
final class ActionHandlerTest {
    record In(String text) {}

    record Out(String said, int attempt) {}

    private static final String TOKEN = "pa\"ss wo+rd=é!Zq";
    private static final RunId RUN = new RunId(UUID.fromString("01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d"));

    /** What an action does here. */
    @FunctionalInterface
    private interface Work {
        ActionResult<Out> run(In in, ActionContext context) throws Exception;
    }

    private record Doing(Work work) implements Action<In, Out> {
        @Override
        public ActionSpec<In, Out> spec() {
            return ActionSpec.of("acme.say", In.class, Out.class).build();
        }

        @Override
        public List<ParameterFault> check(In in) {
            return in.text().equals("bad") ? List.of(new ParameterFault("/text", "it is bad")) : List.of();
        }

        @Override
        public ActionResult<Out> run(In in, ActionContext context) throws Exception {
            return work.run(in, context);
        }
    }

    private static TaskCall call(String input, LinkLookup links, RequesterLookup requester) throws Exception {
        return new TaskCall(
                new TenantId("acme"),
                new WorkflowId("greet"),
                RUN,
                "corr-1",
                new ActivationId(new NodeId("say"), 1),
                3,
                new HandlerName("acme.say"),
                JsonParser.parse(input.getBytes(UTF_8)),
                JsonObject.EMPTY,
                Sha256.digest("key".getBytes(UTF_8)),
                Duration.ofSeconds(7),
                links,
                requester,
                () -> false,
                Optional.of("00-trace"));
    }

    private static TaskResult handled(Work work, CredentialProvider credentials, TaskCall call) throws Exception {
        return handled(ConnectorSpec.of("acme", "1.0.0", "Acme", "For a test.").withoutAuth(), work, credentials, call);
    }

    private static TaskResult handled(
            ConnectorSpec.Builder connector, Work work, CredentialProvider credentials, TaskCall call)
            throws Exception {
        return new ActionHandler<>(
                        connector.build(),
                        JsonNodeFactory.instance.objectNode().put("url", "https://acme.example"),
                        new Doing(work),
                        new Binder<>(In.class, Optional.empty()),
                        credentials)
                .handle(call);
    }

    private static TaskResult handled(Work work) throws Exception {
        return handled(
                work,
                request -> request.connectorId().equals("acme") ? Optional.of(new Credential(TOKEN)) : Optional.empty(),
                call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN));
    }

    private static TaskResult.Failed failed(Work work) throws Exception {
        return assertInstanceOf(TaskResult.Failed.class, handled(work));
    }

    @Test
    void itSeesWhatItRunsOn() throws Exception {
        RequesterLookup requester = () -> new RequesterLookup.Found(
                new Actor("user", "U123"),
                new Requested(Optional.of("Doug"), Optional.of("doug@example.com"), Optional.empty()));
        TaskResult result = handled(
                (in, context) -> {
                    assertEquals("hi", in.text());
                    assertEquals("hi", context.rawParameters().path("text").asString());
                    assertEquals("acme", context.tenantId());
                    assertEquals("greet", context.workflowId());
                    assertEquals(RUN.toString(), context.executionId());
                    assertEquals("say", context.nodeId());
                    assertEquals("corr-1", context.correlationId());
                    assertEquals(Optional.of("00-trace"), context.traceparent());
                    assertEquals(Duration.ofSeconds(7), context.timeout());
                    assertEquals(
                            new Requester("U123", Optional.of("doug@example.com"), Optional.of("Doug")),
                            context.requester());
                    assertEquals(64, context.idempotencyKey().length());
                    assertFalse(context.isCanceled());
                    assertEquals(
                            "https://acme.example", context.config().path("url").asString());
                    return ActionResult.succeeded(
                            new Out("hi", context.attempt()),
                            ResourceLink.of("acme", "greeting", "7", "https://acme.example/7"));
                },
                _ -> Optional.empty(),
                call("{\"text\": \"hi\"}", LinkLookup.NONE, requester));
        TaskResult.Ok ok = assertInstanceOf(TaskResult.Ok.class, result);
        assertEquals("{\"attempt\":3,\"said\":\"hi\"}", CanonicalJson.exactText(ok.output()));
        TaskResult.Link link = ok.links().getFirst();
        assertEquals("acme/greeting 7", link.type() + " " + link.key());
        assertEquals(
                "{\"id\":\"7\",\"system\":\"acme\",\"type\":\"greeting\",\"url\":\"https://acme.example/7\"}",
                CanonicalJson.exactText(link.content()));
    }

    @Test
    void itFindsWhatIsLinkedAlreadyAsItWasLinked() throws Exception {
        ResourceLink linked = ResourceLink.of("acme", "greeting", "7", "https://acme.example/7")
                .foundBy("ORD-1");
        TaskResult.Link made = Links.kept(linked, Hidden.of(Stream.empty())).orElseThrow();
        assertEquals("ORD-1", made.key());
        LinkLookup links = (type, key) -> type.equals(made.type()) && key.equals(made.key())
                ? Optional.of(new LinkLookup.Found(RUN, made.content()))
                : Optional.empty();
        TaskResult result = handled(
                (_, context) -> {
                    assertEquals(
                            linked,
                            context.findLink("acme", "greeting", "ORD-1")
                                    .orElseThrow()
                                    .link());
                    assertEquals(Optional.empty(), context.findLink("acme", "greeting", "7"));
                    return ActionResult.skipped("seen");
                },
                _ -> Optional.empty(),
                call("{\"text\": \"hi\"}", links, RequesterLookup.UNKNOWN));
        assertEquals(new TaskResult.Skipped("seen"), result);
    }

    @Test
    void parametersThatDoNotFitEndItBeforeItRuns() throws Exception {
        for (Map.Entry<String, String> each : Map.of(
                        "{\"text\": 7, \"more\": 1}",
                                "/more: there is no such parameter; there are text; /text: integer found, string expected",
                        "{\"text\": \"bad\"}", "/text: it is bad")
                .entrySet()) {
            TaskResult.Failed failed = assertInstanceOf(
                    TaskResult.Failed.class,
                    handled(
                            (_, _) -> {
                                throw new AssertionError("it ran");
                            },
                            _ -> Optional.empty(),
                            call(each.getKey(), LinkLookup.NONE, RequesterLookup.UNKNOWN)));
            assertEquals(FailureClass.PERMANENT, failed.failure());
            assertEquals("INVALID_PARAMETERS", failed.error().code());
            assertEquals(each.getValue(), failed.error().message());
        }
    }

    @Test
    void eachResultIsToldAsWhatItIs() throws Exception {
        assertEquals(new TaskResult.Skipped("nothing to do"), handled((_, _) -> ActionResult.skipped("nothing to do")));
        assertEquals(
                FailureClass.PERMANENT,
                failed((_, _) -> ActionResult.failed("NO", "no")).failure());
        assertEquals(
                FailureClass.RETRYABLE,
                failed((_, _) -> ActionResult.retriable("LATER", "later")).failure());
        assertEquals(
                FailureClass.POLICY_DENIED,
                failed((_, _) -> ActionResult.denied("NEVER", "never")).failure());
        TaskResult.Failed limited = failed((_, _) ->
                ActionResult.<Out>limited("BUSY", "busy", Duration.ofSeconds(9)).with(Map.of("left", 0)));
        assertEquals(FailureClass.EXTERNAL_LIMIT, limited.failure());
        assertEquals(Optional.of(Duration.ofSeconds(9)), limited.retryAfter());
        assertEquals("{\"left\":0}", CanonicalJson.exactText(limited.error().details()));
        assertEquals(
                "DEEP",
                failed((_, _) -> {
                            throw new ActionFailure(ActionResult.retriable("DEEP", "from below"));
                        })
                        .error()
                        .code());
    }

    @Test
    void whatItThrowsIsClassified() throws Exception {
        for (Throwable mends :
                List.of(new IOException("reset"), new IllegalStateException("odd"), new StackOverflowError())) {
            assertEquals(FailureClass.RETRYABLE, thrown(mends).failure(), mends::toString);
        }
        for (Throwable stays : List.of(
                new IllegalArgumentException("no"),
                new NullPointerException(),
                new NoClassDefFoundError("com/acme/X"))) {
            assertEquals(FailureClass.PERMANENT, thrown(stays).failure(), stays::toString);
            assertEquals("ACTION_THREW", thrown(stays).error().code());
        }
        assertEquals("INTERRUPTED", thrown(new InterruptedException()).error().code());
        assertEquals(
                "acme.say threw java.io.IOException: reset",
                thrown(new IOException("reset")).error().message());
    }

    private static TaskResult.Failed thrown(Throwable what) throws Exception {
        return failed((_, _) -> {
            switch (what) {
                case Exception e -> throw e;
                case Error e -> throw e;
                default -> throw new AssertionError(what);
            }
        });
    }

    @Test
    void whatIsNoJsonEndsIt() throws Exception {
        TaskResult.Failed failed = failed((_, _) -> ActionResult.succeeded(new Out("half a pair \ud83d", 1)));
        assertEquals("OUTPUT_NOT_JSON", failed.error().code());
    }

    @Test
    void aCredentialIsToldNowhereInNoForm() throws Exception {
        String encoded = URLEncoder.encode(TOKEN, UTF_8);
        TaskResult.Ok ok = assertInstanceOf(TaskResult.Ok.class, handled((_, context) -> {
            Credential token = context.requiredCredential();
            assertEquals("[hidden]", token.toString());
            return ActionResult.succeeded(new Out("you sent " + token.reveal() + " and " + encoded, 1));
        }));
        assertEquals(
                "{\"attempt\":1,\"said\":\"you sent [hidden] and [hidden]\"}", CanonicalJson.exactText(ok.output()));
        TaskResult.Failed failed = failed((_, context) -> ActionResult.<Out>failed(
                        "X", "Bearer " + context.requiredCredential().reveal())
                .with(Map.of("sent", List.of(TOKEN))));
        assertEquals("Bearer [hidden]", failed.error().message());
        assertEquals(
                "{\"sent\":[\"[hidden]\"]}",
                CanonicalJson.exactText(failed.error().details()));
        assertEquals(
                "acme.say threw java.io.IOException: https://acme.example/?token=[hidden]",
                failed((_, context) -> {
                            context.requiredCredential();
                            throw new IOException("https://acme.example/?token=" + encoded);
                        })
                        .error()
                        .message());
    }

    /** Where people look it is hidden; a name without it would be another thing's. */
    @Test
    void noLinkHasTheCredential() throws Exception {
        TaskResult.Ok ok = assertInstanceOf(TaskResult.Ok.class, handled((_, context) -> {
            String token = URLEncoder.encode(context.requiredCredential().reveal(), UTF_8);
            return ActionResult.succeeded(
                    new Out("made", 1), ResourceLink.of("acme", "greeting", "7", "https://acme.example/7?t=" + token));
        }));
        assertEquals(
                "{\"id\":\"7\",\"system\":\"acme\",\"type\":\"greeting\",\"url\":\"https://acme.example/7?t=[hidden]\"}",
                CanonicalJson.exactText(ok.links().getFirst().content()));
        for (ResourceLink named : List.of(
                ResourceLink.of("acme", "greeting", "7" + TOKEN),
                ResourceLink.of("acme", "greeting", "7").foundBy(TOKEN))) {
            TaskResult.Failed failed = failed((_, context) -> {
                context.requiredCredential();
                return ActionResult.succeeded(new Out("made", 1), named);
            });
            assertEquals("LINK_HAS_SECRET", failed.error().code());
            assertEquals(FailureClass.PERMANENT, failed.failure());
            assertFalse(failed.toString().contains(TOKEN), failed::toString);
        }
    }

    /** It may have read it long ago, once for all attempts. */
    @Test
    void aConnectorThatNeedsACredentialIsNotCalledWithoutAndTellsItNever() throws Exception {
        ConnectorSpec.Builder needs = ConnectorSpec.of("acme", "1.0.0", "Acme", "For a test.");
        TaskCall call = call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN);
        TaskResult without = handled(needs, (_, _) -> ActionResult.skipped("it ran"), _ -> Optional.empty(), call);
        assertEquals(
                "NO_CREDENTIAL",
                assertInstanceOf(TaskResult.Failed.class, without).error().code());
        TaskResult with = handled(
                needs,
                (_, _) -> ActionResult.skipped("I sent " + TOKEN),
                _ -> Optional.of(new Credential(TOKEN)),
                call);
        assertEquals(new TaskResult.Skipped("I sent [hidden]"), with);
    }

    @Test
    void linesOfAKeyAreHiddenButNotThoseThatStandEverywhere() throws Exception {
        String file = "{\n  \"private_key\": \"abc\"\n}";
        TaskResult result = handled(
                (_, context) -> {
                    context.requiredCredential();
                    return ActionResult.skipped("{x} -----BEGIN KEY----- \"private_key\": \"abc\"");
                },
                _ -> Optional.of(new Credential("-----BEGIN KEY-----\n" + file)),
                call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN));
        assertEquals(new TaskResult.Skipped("{x} -----BEGIN KEY----- [hidden]"), result);
    }

    @Test
    void aCredentialThatCannotBeReadNowIsTriedAgain() throws Exception {
        TaskResult result = handled(
                (_, context) -> ActionResult.skipped(context.credential("acme").isPresent() ? "there" : "not there"),
                _ -> {
                    throw new LookupFailedException("the vault is away", new IOException("10.0.0.7"));
                },
                call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN));
        assertEquals(TaskResult.retryable("LOOKUP_FAILED", "the vault is away"), result);
    }

    /** What its libraries look up by name is looked up where they come from. */
    @Test
    void itsThreadLooksWhereItComesFromAndNoLongerThanItRuns() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader other = new URLClassLoader(new URL[0])) {
            thread.setContextClassLoader(other);
            assertEquals(
                    new TaskResult.Skipped("true"),
                    handled((_, _) -> ActionResult.skipped(
                            String.valueOf(Doing.class.getClassLoader().equals(thread.getContextClassLoader())))));
            assertEquals(other, thread.getContextClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Whoever takes the interrupt, and whichever thread asks. */
    @Test
    void thatNobodyWaitsForItStaysTrue() throws Exception {
        TaskCall plain = call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN);
        TaskCall canceled = new TaskCall(
                plain.tenant(),
                plain.workflow(),
                plain.run(),
                plain.correlation(),
                plain.activation(),
                plain.attempt(),
                plain.handler(),
                plain.input(),
                plain.template(),
                plain.key(),
                plain.timeout(),
                plain.links(),
                plain.requester(),
                () -> true,
                plain.traceparent());
        assertEquals(
                new TaskResult.Skipped("true"),
                handled(
                        (_, context) -> ActionResult.skipped(String.valueOf(context.isCanceled())),
                        _ -> Optional.empty(),
                        canceled));
    }

    @Test
    void whereNoCredentialIsItSaysWhereOneGoes() throws Exception {
        TaskResult.Failed failed = assertInstanceOf(
                TaskResult.Failed.class,
                handled(
                        (_, context) -> ActionResult.failed(
                                "NOT", context.requiredCredential().reveal()),
                        _ -> Optional.empty(),
                        call("{\"text\": \"hi\"}", LinkLookup.NONE, RequesterLookup.UNKNOWN)));
        assertEquals("NO_CREDENTIAL", failed.error().code());
        assertTrue(failed.error().message().contains("CONNECTOR_ACME_TOKEN"), failed::toString);
    }

    /** As a vault would that has a token for each user: no action knows the difference. */
    @Test
    void aProviderMayGiveEachRequesterATokenOfTheirOwn() throws Exception {
        RequesterLookup anna = () -> new RequesterLookup.Found(new Actor("user", "anna"), Requested.NOTHING);
        TaskResult result = handled(
                (_, context) -> ActionResult.succeeded(new Out(
                        context.requiredCredential().reveal().equals("token of anna") ? "hers" : "another's", 1)),
                request -> Optional.of(
                        new Credential("token of " + request.requester().userId())),
                call("{\"text\": \"hi\"}", LinkLookup.NONE, anna));
        assertEquals(
                "{\"attempt\":1,\"said\":\"hers\"}",
                CanonicalJson.exactText(
                        assertInstanceOf(TaskResult.Ok.class, result).output()));
    }

    @Test
    void headersSayForWhomAndNoneBreaksOut() throws Exception {
        RequesterLookup hostile = () -> new RequesterLookup.Found(
                new Actor("user", "a\r\nX-Admin: 1"),
                new Requested(Optional.of("Jürgen 100%"), Optional.empty(), Optional.empty()));
        TaskResult result = handled(
                (_, context) -> {
                    Map<String, String> headers = PassThroughHeaders.of(context, Optional.of(new Credential("t")));
                    assertEquals("Bearer t", headers.get("Authorization"));
                    assertEquals("a%0D%0AX-Admin: 1", headers.get("X-Acting-User-Id"));
                    assertEquals("J%C3%BCrgen 100%25", headers.get("X-Acting-User-Name"));
                    assertEquals("corr-1", headers.get("X-Correlation-Id"));
                    assertFalse(headers.containsKey("X-Acting-User-Email"));
                    return ActionResult.skipped("seen");
                },
                _ -> Optional.empty(),
                call("{\"text\": \"hi\"}", LinkLookup.NONE, hostile));
        assertEquals(new TaskResult.Skipped("seen"), result);
    }

    /** The engine gives such an attempt back, which uses up nothing. */
    @Test
    void whatCannotBeLookedUpNowIsNoFailure() throws Exception {
        LinkLookup away = (_, _) -> {
            throw new JournalException.Unavailable("the database is away", new IOException("x"));
        };
        TaskCall call = call("{\"text\": \"hi\"}", away, RequesterLookup.UNKNOWN);
        assertThrows(
                JournalException.class,
                () -> handled(
                        (_, context) -> {
                            context.findLink("acme", "greeting", "7");
                            return ActionResult.skipped("not seen");
                        },
                        _ -> Optional.empty(),
                        call));
    }
}
