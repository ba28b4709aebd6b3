package dev.gannet.benchmarks.jmh.transport;

import java.io.IOException;

/** The compared libraries. */
public enum Library {
  GANNET {
    @Override
    Exchange open(Handlers handlers) throws IOException {
      return GannetExchange.open(handlers);
    }
  },
  GRPC_JAVA {
    @Override
    Exchange open(Handlers handlers) throws IOException {
      return GrpcJavaExchange.open(handlers);
    }
  };

  /** Where a server's handlers run. */
  public enum Handlers {
    /** On the event loop: inline dispatch, and grpc-java's direct executor. */
    ON_LOOP,
    /** The default of the library: virtual threads, and grpc-java's cached pool. */
    DEFAULT
  }

  abstract Exchange open(Handlers handlers) throws IOException;
}
