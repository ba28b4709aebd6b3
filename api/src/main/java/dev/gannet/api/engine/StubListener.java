package dev.gannet.api.engine;

/**
 * Marks the listeners of generated clients: the end of their call may be reported again, which then
 * does nothing. So the engine can tell them of it if an interceptor's listener has thrown before it
 * has forwarded the end: otherwise the caller would wait for ever.
 */
public interface StubListener {}
