package dev.gannet.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The header lists that a peer sends in its calls on one connection. */
public enum HeaderShape {
  /** As recorded: path and length are literals that are not indexed, in each request. */
  H2LOAD(Side.REQUEST),
  GRPC_JAVA(Side.REQUEST),
  /** Deadlines of a second: the remaining microseconds are usually among a few dozen values. */
  GRPC_JAVA_DEADLINE(Side.REQUEST),
  /** Deadlines of 50 ms: the remaining nanoseconds are never the same. */
  GRPC_JAVA_SHORT_DEADLINE(Side.REQUEST),
  /** The same for three methods in turn. */
  GRPC_JAVA_3_METHODS(Side.REQUEST),
  GRPC_JAVA_10_ENTRIES(Side.REQUEST),
  GRPC_JAVA_10_ENTRIES_DEADLINE(Side.REQUEST),
  /** Deadlines of a second, and a unique trace id. */
  GRPC_JAVA_TRACED(Side.REQUEST),
  GRPC_GO(Side.REQUEST),
  GRPC_GO_DEADLINE(Side.REQUEST),
  GANNET(Side.REQUEST),
  GANNET_DEADLINE(Side.REQUEST),
  /** Headers and trailers in turn, as below. */
  GRPC_JAVA_RESPONSE(Side.RESPONSE),
  GRPC_JAVA_RESPONSE_10_ENTRIES(Side.RESPONSE),
  GANNET_RESPONSE(Side.RESPONSE);

  /** The sender of the lists. */
  enum Side {
    REQUEST,
    RESPONSE
  }

  private final Side side;

  HeaderShape(Side side) {
    this.side = side;
  }

  Side side() {
    return side;
  }

  /** The first blocks of a connection, this many; always the same ones. */
  List<byte[]> blocks(int count) {
    Random random = new Random(1);
    HeaderWriter writer = writer();
    List<byte[]> blocks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      blocks.add(writer.write(fields(i, random)));
    }
    return blocks;
  }

  private HeaderWriter writer() {
    return switch (this) {
      case H2LOAD -> HeaderWriter.h2load();
      case GRPC_GO, GRPC_GO_DEADLINE -> HeaderWriter.grpcGo();
      case GANNET, GANNET_DEADLINE -> HeaderWriter.gannetClient();
      case GANNET_RESPONSE -> HeaderWriter.gannetServer();
      default -> HeaderWriter.grpcJava();
    };
  }

  private WrittenFields fields(int call, Random random) {
    return switch (this) {
      case H2LOAD, GANNET, GANNET_RESPONSE -> new WrittenFields();
      case GANNET_DEADLINE -> new WrittenFields().addSecond(random);
      case GRPC_JAVA -> WrittenFields.ofGrpcJava();
      case GRPC_JAVA_DEADLINE -> WrittenFields.ofGrpcJava().addSecond(random);
      case GRPC_JAVA_SHORT_DEADLINE -> WrittenFields.ofGrpcJava().addShortDeadline(random);
      case GRPC_JAVA_3_METHODS -> WrittenFields.ofGrpcJava(call % 3).addShortDeadline(random);
      case GRPC_JAVA_10_ENTRIES -> WrittenFields.ofGrpcJava().addTenEntries();
      case GRPC_JAVA_10_ENTRIES_DEADLINE ->
          WrittenFields.ofGrpcJava().addTenEntries().addSecond(random);
      case GRPC_JAVA_TRACED -> WrittenFields.ofGrpcJava().addTrace(random).addSecond(random);
      case GRPC_GO -> WrittenFields.ofGrpcGo();
      case GRPC_GO_DEADLINE -> WrittenFields.ofGrpcGo().addSecond(random);
      case GRPC_JAVA_RESPONSE -> call % 2 == 0 ? WrittenFields.ofGrpcJavaResponse() : trailers();
      case GRPC_JAVA_RESPONSE_10_ENTRIES ->
          call % 2 == 0
              ? WrittenFields.ofGrpcJavaResponse().addTenEntries()
              : trailers().addTenEntries();
    };
  }

  private static WrittenFields trailers() {
    return new WrittenFields().add("grpc-status", "0");
  }
}
