package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import connectrpc.conformance.v1.ConfigOuterClass.Code;
import connectrpc.conformance.v1.Service;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.util.List;
import java.util.Optional;

/**
 * Converts failures of calls to and from the suite's format. Their details are sent in the
 * trailers, as in all of gRPC: as a {@code google.rpc.Status} that repeats code and message.
 */
final class RpcErrors {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.binary("grpc-status-details-bin");

  private RpcErrors() {}

  /** The exception that ends a call with that error; its details are added to the trailers. */
  static StatusException exception(Service.Error error, Metadata trailers) {
    if (error.getDetailsCount() > 0) {
      com.google.rpc.Status details =
          com.google.rpc.Status.newBuilder()
              .setCode(error.getCodeValue())
              .setMessage(error.getMessage())
              .addAllDetails(error.getDetailsList())
              .build();
      trailers.add(DETAILS, details.toByteArray());
    }
    Status bare = Status.Code.of(error.getCodeValue()).toStatus();
    return (error.hasMessage() ? bare.withDescription(error.getMessage()) : bare)
        .asException(trailers);
  }

  /**
   * The error that a call ended with.
   *
   * @throws InvalidProtocolBufferException if its details are malformed
   */
  static Service.Error error(StatusException failure) throws InvalidProtocolBufferException {
    Service.Error.Builder error =
        Service.Error.newBuilder()
            .setCode(Code.forNumber(failure.status().code().value()))
            .addAllDetails(details(failure.trailers()));
    failure.status().description().ifPresent(error::setMessage);
    return error.build();
  }

  private static List<Any> details(Metadata trailers) throws InvalidProtocolBufferException {
    Optional<byte[]> details = trailers.get(DETAILS);
    return details.isPresent()
        ? com.google.rpc.Status.parseFrom(details.get()).getDetailsList()
        : List.of();
  }
}
