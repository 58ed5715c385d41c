package dev.flowstone.connectors.registry;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.id.HandlerName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node starts with, and what it refuses to start with. */
final class ConnectorRegistryTest {
    record In(String text, Optional<Integer> count) {}

    record Out(String text) {}

    private record Echo(ActionSpec<In, Out> spec) implements Action<In, Out> {
        @Override
        public ActionResult<Out> run(In in, ActionContext context) {
            return ActionResult.succeeded(new Out(in.text()));
        }
    }

    private static Echo action(String id, UnaryOperator<ActionSpec.Builder<In, Out>> more) {
        return new Echo(more.apply(ActionSpec.of(id, In.class, Out.class)).build());
    }

    private static Echo action(String id) {
        return action(id, it -> it);
    }

    private static ConnectorSpec.Builder spec(String id) {
        return ConnectorSpec.of(id, "1.0.0", id, "For a test.");
    }

    private static ConnectorRegistry of(Connector... connectors) throws RefusedConnectorException {
        List<FoundConnector> found = new ArrayList<>();
        for (Connector each : connectors) {
            found.add(new FoundConnector(each, "jar " + (found.size() + 1)));
        }
        return ConnectorRegistry.of(found, Map.of(), _ -> Optional.empty());
    }

    private static String refused(Connector... connectors) {
        return String.valueOf(assertThrows(RefusedConnectorException.class, () -> of(connectors))
                .getMessage());
    }

    private static String refused(Action<?, ?> action) {
        return refused(Connector.of(spec("acme").build(), action)).replaceFirst(".* is refused: ", "");
    }

    @Test
    void aConnectorHoldsTheActionsOfItsName() throws Exception {
        ConnectorSpec spec = spec("acme")
                .auth("ApiKey")
                .icon("https://acme.example/icon.svg")
                .documentation("https://acme.example/docs")
                .configSchema("{\"type\": \"object\"}")
                .capabilities("say")
                .build();
        ConnectorRegistry registry = of(Connector.of(spec, action("acme.say"), action("acme.tell.all")));
        assertEquals(
                List.of("acme.say", "acme.tell.all"),
                List.copyOf(registry.actions().keySet()));
        assertEquals(spec, registry.connectors().get("acme"));
        assertTrue(spec.enabled() && spec.requiresAuth());
        RegisteredAction say = registry.action("acme.say").orElseThrow();
        assertEquals("acme", say.connector().id());
        assertTrue(say.parameterSchema().members().containsKey("properties"));
        assertTrue(say.outputSchema().members().containsKey("properties"));
        assertTrue(refused(action("other.say")).contains("its id begins with 'acme.'"));
    }

    @Test
    void theEngineGetsThemAll() throws Exception {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder();
        of(Connector.of(spec("acme").build(), action("acme.say"), action("acme.old", it -> it.disabled())))
                .register(handlers);
        HandlerRegistry registry = handlers.build();
        assertTrue(registry.handler(new HandlerName("acme.say")).isPresent());
        assertTrue(registry.handler(new HandlerName("acme.old")).isPresent(), "what is published goes on");
        assertEquals(
                List.of("text true", "count false"),
                requireNonNull(registry.actions().get(new HandlerName("acme.say"))).parameters().stream()
                        .map(it -> it.name() + " " + it.required())
                        .toList());
    }

    @Test
    void twoOfOneIdAreRefusedWithWhereTheyComeFrom() {
        Connector one = Connector.of(spec("acme").build(), action("acme.say"));
        String message = refused(one, Connector.of(spec("acme").build(), action("acme.tell")));
        assertTrue(message.contains("'acme', from jar 1") && message.contains("of jar 2"), message);
        assertTrue(refused(Connector.of(spec("acme").build(), action("acme.say"), action("acme.say")))
                .contains("two actions of the id 'acme.say'"));
    }

    @Test
    void aBreakingVersionHasAnIdOfItsOwnAndStandsBesideTheFirst() throws Exception {
        ConnectorRegistry registry = of(Connector.of(
                spec("acme").build(),
                action("acme.say", it -> it.version("1.4.2")),
                action("acme.say-v2", it -> it.version("2.0.1")),
                action("acme.say-v13", it -> it.version("13.0.0"))));
        assertEquals(3, registry.actions().size());
        assertTrue(refused(action("acme.say", it -> it.version("2.0.0"))).contains("its id ends with '-v2'"));
        assertTrue(refused(action("acme.say-v2", it -> it.version("3.0.0"))).contains("its id ends with '-v3'"));
        assertTrue(refused(action("acme.say-v2", it -> it.version("1.0.0"))).contains("for version 2 and later"));
        assertTrue(refused(action("acme.say-v1", it -> it.version("1.0.0"))).contains("for version 2 and later"));
    }

    @Test
    void patchesAndMinorsKeepTheId() throws Exception {
        for (String version : List.of("0.1.0", "1.0.0", "1.0.1", "1.9.0")) {
            ConnectorRegistry registry =
                    of(Connector.of(spec("acme").build(), action("acme.say", it -> it.version(version))));
            assertEquals(
                    version,
                    registry.action("acme.say").orElseThrow().spec().version().toString());
        }
    }

    @Test
    void oneIsDisabledByItselfOrWithItsConnector() throws Exception {
        assertFalse(of(Connector.of(spec("acme").build(), action("acme.say", it -> it.disabled())))
                .action("acme.say")
                .orElseThrow()
                .isEnabled());
        assertFalse(of(Connector.of(spec("acme").disabled().build(), action("acme.say")))
                .action("acme.say")
                .orElseThrow()
                .isEnabled());
    }

    @Test
    void whatIsNotAsItHasToBeIsRefusedByName() {
        assertTrue(
                refused(Connector.of(spec("Acme").build(), action("Acme.say"))).contains("isn't 'Acme'"));
        assertTrue(refused(Connector.of(spec("acme").build())).contains("it has no actions"));
        assertTrue(refused(action("acme")).contains("isn't 'acme'"));
        assertTrue(refused(action("acme.")).contains("isn't 'acme.'"));
        assertTrue(refused(action("acme.Say")).contains("isn't 'acme.Say'"));
        assertTrue(refused(action("acme.say", it -> it.parameterSchema("[]"))).contains("is no JSON object"));
        assertTrue(refused(action("acme.say", it -> it.parameterSchema("{"))).contains("is no JSON:"));
        assertTrue(refused(action(
                        "acme.say", it -> it.parameterSchema("{\"properties\": {\"text\": {\"pattern\": \"(?=a)\"}}}")))
                .contains("'/properties/text/pattern'"));
        assertTrue(refused(action("acme.say", it -> it.outputSchema("{\"type\": \"strnig\"}")))
                .contains("the schema of its outputs can't be used"));
    }

    /** What a catalog couldn't keep is found at the start, and not when it is told. */
    @Test
    void whatTheySayOfThemselvesIsBounded() {
        String long4001 = "x".repeat(4_001);
        assertTrue(refused(action("acme.say", it -> it.described("Say", long4001)))
                .contains("of the action 'acme.say' the description has more than 4000 characters"));
        assertTrue(refused(action("acme.say", it -> it.described("S\0y", ""))).contains("U+0000"));
        assertTrue(refused(action("acme.say", it -> it.deprecated(long4001))).contains("to be left has more"));
        assertTrue(refused(action("acme.say", it -> it.category("Data", "x".repeat(101))))
                .contains("tag has more than 100"));
        assertTrue(refused(action(
                        "acme.say",
                        it -> it.category("Data", Collections.nCopies(51, "x").toArray(String[]::new))))
                .contains("tags are more than 50"));
        assertTrue(refused(action("acme.say", it -> it.outputSchema(" ".repeat(256 << 10) + "{}")))
                .contains("schema of its outputs has more than 262144"));
        String icon = "https://acme.example/" + "x".repeat(2_000);
        assertTrue(refused(Connector.of(spec("acme").icon(icon).build(), action("acme.say")))
                .contains("its icon's address has more than 2000"));
    }

    @Test
    void oneThatThrowsWhileItIsLoadedIsNamed() {
        Connector broken = new Connector() {
            @Override
            public ConnectorSpec spec() {
                throw new IllegalStateException("no configuration");
            }

            @Override
            public List<Action<?, ?>> actions() {
                return List.of();
            }
        };
        String message = refused(broken);
        assertTrue(message.contains("of jar 1 is refused") && message.contains("no configuration"), message);
    }

    private static String refusedWith(String config, ConnectorSpec spec, Path folder) throws Exception {
        Files.writeString(folder.resolve("acme.json"), config);
        List<FoundConnector> found = List.of(new FoundConnector(Connector.of(spec, action("acme.say")), "jar 1"));
        return String.valueOf(assertThrows(
                        RefusedConnectorException.class,
                        () -> ConnectorRegistry.of(found, ConfigFolder.read(folder), _ -> Optional.empty()))
                .getMessage());
    }

    @Test
    void whatIsSetIsAsTheConnectorWantsIt(@TempDir Path folder) throws Exception {
        ConnectorSpec wants = spec("acme")
                .configSchema(
                        "{\"type\": \"object\", \"required\": [\"url\"], \"properties\": {\"url\": {\"type\": \"string\"}}}")
                .build();
        String wrong = refusedWith("{\"url\": 7}", wants, folder);
        assertTrue(wrong.contains("acme.json of connector.config") && wrong.contains("/url: "), wrong);
        String missing = refused(Connector.of(wants, action("acme.say")));
        assertTrue(missing.contains("/url: it is missing"), missing);
        assertTrue(refusedWith("{\"url\": \"x\"}", spec("acme").build(), folder).contains("takes no configuration"));
        assertTrue(refusedWith("{\"url\": ", wants, folder).contains("acme.json is no JSON"));
        assertTrue(refusedWith("[]", wants, folder).contains("is no JSON object"));
        Files.writeString(folder.resolve("acme.json"), "{\"url\": \"https://acme.example\"}");
        List<FoundConnector> found = List.of(new FoundConnector(Connector.of(wants, action("acme.say")), "jar 1"));
        assertEquals(
                1,
                ConnectorRegistry.of(found, ConfigFolder.read(folder), _ -> Optional.empty())
                        .connectors()
                        .size());
        String stray = String.valueOf(assertThrows(
                        RefusedConnectorException.class,
                        () -> ConnectorRegistry.of(List.of(), ConfigFolder.read(folder), _ -> Optional.empty()))
                .getMessage());
        assertTrue(stray.contains("no connector 'acme'"), stray);
    }

    @Test
    void anErrorOfOneIsARefusalToo() {
        Connector broken = new Connector() {
            @Override
            public ConnectorSpec spec() {
                throw new AssertionError("half a disk");
            }

            @Override
            public List<Action<?, ?>> actions() {
                return List.of();
            }
        };
        assertTrue(refused(broken).contains("half a disk"));
    }
}
