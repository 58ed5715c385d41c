package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which aggregates there are, how they are named, and their built-in programs. Names and hashes are fixed for ever: they
 * stand in journals.
 */
public final class Aggregates {
    /** Version of the workflow that an aggregate's events carry: its program was never published. */
    public static final int VERSION = 0;

    /** When every aggregate was born, by its id: no run ever was. */
    private static final Instant BIRTH = Instant.ofEpochMilli(1);

    private static final Map<Kind, BuiltIn> BUILT_IN = builtIn();

    private Aggregates() {}

    private static Map<Kind, BuiltIn> builtIn() {
        Map<Kind, BuiltIn> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, BuiltIn.of(kind));
        }
        return all;
    }

    private static BuiltIn builtIn(Kind kind) {
        return Objects.requireNonNull(BUILT_IN.get(kind), "every kind has a program");
    }

    /** What an aggregate is. */
    @SuppressWarnings("ImmutableEnumChecker") // both are immutable, without saying so
    public enum Kind {
        /** Brings signals to awaits. */
        CHANNEL("channel"),
        /** Gives permits. */
        SEMAPHORE("semaphore"),
        /** Says whose a resource is. */
        LINK("link");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public Program program() {
            return builtIn(this).program();
        }

        public Sha256 hash() {
            return builtIn(this).hash();
        }
    }

    /** A kind's program. */
    private record BuiltIn(Program program, Sha256 hash) {
        static BuiltIn of(Kind kind) {
            Program program = build(kind.word);
            return new BuiltIn(program, ProgramCodec.hash(program));
        }

        private static Program build(String word) {
            ScopeId root = new ScopeId("root");
            NodeId start = new NodeId("start");
            return new Program(
                    "flowstone",
                    1,
                    new WorkflowId("flowstone." + word),
                    List.of(new Scope(
                            root,
                            Optional.empty(),
                            Scope.Kind.FLOW,
                            Scope.FailurePolicy.FAIL,
                            start,
                            Optional.empty(),
                            Optional.empty())),
                    List.of(new Node.Start(start, root, Routing.FIRST, Origin.COMPILER)),
                    List.of(),
                    Output.TERMINALS,
                    Optional.empty(),
                    JsonObject.EMPTY);
        }
    }

    /** The channel of signals of this type with this correlation key. */
    public static RunId channel(TenantId tenant, String type, String key) {
        return id(Kind.CHANNEL, tenant, type, key);
    }

    public static RunId semaphore(TenantId tenant, String name) {
        return id(Kind.SEMAPHORE, tenant, name);
    }

    public static RunId link(TenantId tenant, String type, String key) {
        return id(Kind.LINK, tenant, type, key);
    }

    /** Whether this is an aggregate's name, by its birth. */
    public static boolean isAggregate(RunId id) {
        return id.birth().equals(BIRTH);
    }

    /** The built-in program with this hash. */
    public static Optional<Program> program(Sha256 hash) {
        return kind(hash).map(Kind::program);
    }

    public static Sha256 hash(Kind kind) {
        return kind.hash();
    }

    /** The kind whose built-in program has this hash. */
    public static Optional<Kind> kind(Sha256 hash) {
        for (Kind kind : Kind.values()) {
            if (kind.hash().equals(hash)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** The kind of aggregate that this message is for; empty if it is for a run. */
    public static Optional<Kind> receiver(Message message) {
        return switch (message) {
            case Message.Subscribe _, Message.Unsubscribe _, Message.Signal _, Message.SignalReturned _ ->
                Optional.of(Kind.CHANNEL);
            case Message.Acquire _, Message.Release _ -> Optional.of(Kind.SEMAPHORE);
            case Message.Link _ -> Optional.of(Kind.LINK);
            case Message.SignalDelivered _,
                    Message.Granted _,
                    Message.PermitExpired _,
                    Message.Linked _,
                    Message.StartChild _,
                    Message.Control _,
                    Message.ChildSettled _ -> Optional.empty();
        };
    }

    /** Hash of the program that the receiver of this message begins with if it doesn't exist; empty if it must exist. */
    public static Optional<Sha256> programFor(Message message) {
        return message instanceof Message.StartChild start
                ? Optional.of(start.program())
                : receiver(message).map(Kind::hash);
    }

    /** The state before an aggregate's first event; null if the hash is no built-in program's. */
    public static @Nullable AggregateState initial(Sha256 hash) {
        return kind(hash).map(AggregateState::initial).orElse(null);
    }

    /** SHA-256 over kind, tenant and names, each behind its length; slot and low bits come from its first bytes. */
    private static RunId id(Kind kind, TenantId tenant, String... names) {
        MessageDigest digest = Sha256.newDigest();
        part(digest, kind.word);
        part(digest, tenant.value());
        for (String name : names) {
            part(digest, name);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        long low = hash.getLong();
        int slot = hash.getShort() & (Slot.COUNT - 1);
        return RunId.of(BIRTH, new Slot(slot), low);
    }

    private static void part(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
        digest.update(bytes);
    }
}
