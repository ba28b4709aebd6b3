package dev.gannet.benchmarks.jmh.inprocess;

import com.google.protobuf.BytesValue;
import java.io.IOException;

/** A client and a server of one library in this process, whose service gives back what it gets. */
interface EchoCalls extends AutoCloseable {
  String SERVICE = "bench.Bytes";
  String ECHO = SERVICE + "/Echo";

  /** Where handlers and listeners run. */
  enum Threads {
    /** On the caller's: inline dispatch and direct executors, and a call object with a listener. */
    DIRECT,
    /** As the library does it by itself, called by its blocking client. */
    DEFAULT
  }

  /** Whose client and server. */
  enum Library {
    GANNET {
      @Override
      EchoCalls open(Threads threads) throws IOException {
        return GannetEchoCalls.open(threads);
      }
    },
    GRPC_JAVA {
      @Override
      EchoCalls open(Threads threads) throws IOException {
        return GrpcJavaEchoCalls.open(threads);
      }
    };

    abstract EchoCalls open(Threads threads) throws IOException;
  }

  /** One unary call. */
  BytesValue echo(BytesValue request);

  @Override
  void close();
}
