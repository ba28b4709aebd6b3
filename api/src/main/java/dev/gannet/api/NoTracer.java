package dev.gannet.api;

/** The tracer of calls that nobody wants to see. Engines know it by its identity. */
enum NoTracer implements ClientCallTracer, ClientStreamTracer, ServerStreamTracer {
  INSTANCE;

  @Override
  public void onEnd(Status status, Metadata trailers) {}
}
