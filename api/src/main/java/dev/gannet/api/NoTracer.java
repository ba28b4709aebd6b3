package dev.gannet.api;

/** The tracer of calls that are not traced. Engines recognize it by its identity. */
enum NoTracer implements ClientCallTracer, ClientStreamTracer, ServerStreamTracer {
  INSTANCE;

  @Override
  public void onEnd(Status status, Metadata trailers) {}
}
