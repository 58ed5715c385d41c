package dev.flowstone.postgres;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The runs of a feed row, packed one after another: length of the tenant, tenant in UTF-8, 16 bytes of run id, first event's
 * number, events after it; lengths and numbers in base 128, least significant group first. Each run's part stands alone, so
 * that the database can leave a loser out.
 */
final class FeedCodec {
    private FeedCodec() {}

    /**
     * @param ends where each move's part ends
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Packed(byte[] bytes, List<Integer> ends) {}

    static Packed pack(List<RunMove> moves) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(moves.size() * 32);
        List<Integer> ends = new ArrayList<>(moves.size());
        for (RunMove move : moves) {
            byte[] tenant = BinaryArray.utf8(move.key().tenant().value());
            UUID run = move.key().run().value();
            number(out, tenant.length);
            out.writeBytes(tenant);
            out.writeBytes(ByteBuffer.allocate(16)
                    .putLong(run.getMostSignificantBits())
                    .putLong(run.getLeastSignificantBits())
                    .array());
            number(out, move.expectedSequence() + 1);
            number(out, move.newSequence() - move.expectedSequence() - 1);
            ends.add(out.size());
        }
        return new Packed(out.toByteArray(), ends);
    }

    static List<Moved> unpack(byte[] stored) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        List<Moved> moved = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] tenant = new byte[(int) number(in)];
            in.get(tenant);
            RunKey key = new RunKey(
                    new TenantId(new String(tenant, StandardCharsets.UTF_8)),
                    new RunId(new UUID(in.getLong(), in.getLong())));
            long first = number(in);
            moved.add(new Moved(key, first, first + number(in)));
        }
        return moved;
    }

    private static void number(ByteArrayOutputStream out, long value) {
        long rest = value;
        while (rest > 0x7f) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte group = in.get();
            value |= (long) (group & 0x7f) << shift;
            if (group >= 0) {
                return value;
            }
        }
    }
}
