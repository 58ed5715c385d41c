package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.config.FlowstoneConfig;
import java.io.IOException;
import java.io.Reader;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics of one Kafka, by one producer for the node, which is made when the first event leaves. A record's key is its run, so that a run's
 * events lie in one partition, in their order. Only this class knows Kafka's: none is loaded where there is no Kafka. Thread-safe.
 */
final class KafkaSinks implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final String SEE_LOG = "; the server's log says why";
    private static final System.Logger LOG = System.getLogger(KafkaSinks.class.getName());

    /** What is promised to subscribers is nobody's to set: nothing is lost, and a run's events lie in one partition, in order. */
    private static final Map<String, String> OWN = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, "false");

    private static final List<String> NEVER =
            List.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, ProducerConfig.PARTITIONER_CLASS_CONFIG);

    private static final Header STRUCTURED = new RecordHeader(
            "content-type", (OutEvent.MEDIA_TYPE + "; charset=UTF-8").getBytes(StandardCharsets.US_ASCII));

    private final FlowstoneConfig.Kafka config;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Producer<String, byte[]> producer;
    private boolean closed;

    KafkaSinks(FlowstoneConfig.Kafka config) {
        this.config = requireNonNull(config);
    }

    /** One topic's. */
    EventSink topic(String name) {
        return event -> send(name, event);
    }

    private void send(String topic, OutEvent event) throws SendException, InterruptedException {
        ProducerRecord<String, byte[]> sent =
                new ProducerRecord<>(topic, null, event.run().toString(), event.body(), List.of(STRUCTURED));
        Producer<String, byte[]> by = producer();
        try {
            var _ = by.send(sent).get();
        } catch (ExecutionException e) {
            throw failed(by, e.getCause() == null ? e : e.getCause());
        } catch (InterruptException e) {
            boolean _ = Thread.interrupted();
            throw interrupted(e);
        } catch (KafkaException | IllegalStateException e) {
            throw failed(by, e);
        }
    }

    private static InterruptedException interrupted(InterruptException cause) {
        InterruptedException interrupted = new InterruptedException(cause.getMessage());
        interrupted.initCause(cause);
        return interrupted;
    }

    /** A producer that will refuse everything from now on is replaced; it reads its settings anew. */
    private SendException failed(Producer<String, byte[]> by, Throwable cause) {
        if (isOfTheProducer(cause)) {
            discard(by);
        }
        String kind = "Kafka: " + cause.getClass().getSimpleName();
        if (cause instanceof ApiException) {
            return SendException.of(kind + ": " + cause.getMessage());
        }
        LOG.log(Level.WARNING, "events can't be sent to Kafka", cause);
        return SendException.of(kind + SEE_LOG);
    }

    /** Errors of a topic or a record concern nobody else. */
    private static boolean isOfTheProducer(Throwable cause) {
        return !(cause instanceof ApiException)
                || cause instanceof AuthenticationException
                || cause instanceof ClusterAuthorizationException
                || cause instanceof InvalidPidMappingException
                || cause instanceof OutOfOrderSequenceException
                || cause instanceof ProducerFencedException
                || cause instanceof UnsupportedVersionException;
    }

    private void discard(Producer<String, byte[]> old) {
        lock.lock();
        try {
            if (old.equals(producer)) {
                producer = null;
                Thread.ofVirtual().name("flowstone-kafka-close").start(() -> old.close(CLOSING));
            }
        } finally {
            lock.unlock();
        }
    }

    private Producer<String, byte[]> producer() throws SendException {
        lock.lock();
        try {
            if (closed) {
                throw SendException.of("Kafka: the server stops");
            }
            Producer<String, byte[]> there = producer;
            if (there == null) {
                there = new KafkaProducer<>(settings(), new StringSerializer(), new ByteArraySerializer());
                producer = there;
            }
            return there;
        } catch (KafkaException e) {
            LOG.log(Level.WARNING, "no producer for Kafka can be made", e);
            throw SendException.of("Kafka: no producer can be made" + SEE_LOG);
        } finally {
            lock.unlock();
        }
    }

    /** The producer's. */
    Properties settings() throws SendException {
        Properties settings = new Properties();
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "flowstone");
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, "0");
        // The client says in the log each time that it reaches nobody.
        settings.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "10000");
        if (config.properties().isPresent()) {
            load(settings, config.properties().get());
        }
        own(settings, ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.servers());
        OWN.forEach((name, value) -> own(settings, name, value));
        NEVER.forEach(name -> {
            if (settings.remove(name) != null) {
                warn(name);
            }
        });
        return settings;
    }

    private static void own(Properties settings, String name, String value) {
        if (!value.equals(settings.getOrDefault(name, value))) {
            warn(name);
        }
        settings.put(name, value);
    }

    private static void warn(String name) {
        LOG.log(Level.WARNING, "the file of kafka.properties says {0}, which nobody may set: it is ignored", name);
    }

    private static void load(Properties settings, Path file) throws SendException {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            settings.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, "the file of kafka.properties, " + file + ", can't be read", e);
            throw SendException.of("Kafka: the file of kafka.properties can't be read" + SEE_LOG);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (producer != null) {
                producer.close(CLOSING);
                producer = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
