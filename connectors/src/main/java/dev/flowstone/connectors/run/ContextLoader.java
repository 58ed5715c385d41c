package dev.flowstone.connectors.run;

/**
 * While it is open, the thread's context class loader is that of some plug-in's class: its libraries look there for what they load by
 * name. Opened and closed on one thread.
 */
public final class ContextLoader implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();

    /** Of this loader. */
    public ContextLoader(ClassLoader loader) {
        thread.setContextClassLoader(loader);
    }

    /** Of whoever made this. */
    public static ContextLoader of(Object plugged) {
        return new ContextLoader(plugged.getClass().getClassLoader());
    }

    @Override
    public void close() {
        thread.setContextClassLoader(before);
    }
}
