package dev.gannet.api.engine;

/**
 * Marks the listeners of generated clients. The end of their call may be reported to them twice;
 * the second report has no effect. So the engine can report the end if the listener of an
 * interceptor has thrown before it has forwarded it. Otherwise the caller would wait for ever. The
 * engine finds it behind forwarding listeners, and behind any others if the stub has named it
 * ({@link ChannelCall#setCaller}).
 */
public interface StubListener {}
