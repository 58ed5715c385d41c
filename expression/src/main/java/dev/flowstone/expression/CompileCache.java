package dev.flowstone.expression;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what sources compiled to, refused ones included, within bounds. Reading takes no lock. Two generations: what
 * is used moves to the young one; when that has filled its half, it becomes the old one and the old one is forgotten.
 */
final class CompileCache {
    /** A node tree takes this much for each character of its source, roughly. */
    private static final int BYTES_PER_CHAR = 64;

    private static final int BYTES_PER_ENTRY = 512;

    private final int mostEntries;
    private final long mostBytes;
    private volatile ConcurrentMap<String, Compilation> young = new ConcurrentHashMap<>();
    private volatile ConcurrentMap<String, Compilation> old = new ConcurrentHashMap<>();
    private long youngBytes;

    CompileCache(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
    }

    Compilation get(String source, Function<String, Compilation> compiler) {
        @Nullable Compilation recent = young.get(source);
        if (recent != null) {
            return recent;
        }
        @Nullable Compilation remembered = old.get(source);
        Compilation compilation = remembered != null ? remembered : compiler.apply(source);
        keep(source, compilation);
        return compilation;
    }

    int size() {
        return young.size() + old.size();
    }

    private synchronized void keep(String source, Compilation compilation) {
        long bytes = BYTES_PER_ENTRY + (long) BYTES_PER_CHAR * source.length();
        if (bytes > mostBytes / 8 || young.containsKey(source)) {
            return;
        }
        if (young.size() >= mostEntries / 2 || youngBytes + bytes > mostBytes / 2) {
            old = young;
            young = new ConcurrentHashMap<>();
            youngBytes = 0;
        }
        young.put(source, compilation);
        youngBytes += bytes;
    }
}
