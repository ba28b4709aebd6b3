package dev.gannet.services;

import com.google.protobuf.Descriptors.FileDescriptor;
import dev.gannet.api.Status;
import dev.gannet.services.reflection.v1.ErrorResponse;
import dev.gannet.services.reflection.v1.ExtensionNumberResponse;
import dev.gannet.services.reflection.v1.ExtensionRequest;
import dev.gannet.services.reflection.v1.FileDescriptorResponse;
import dev.gannet.services.reflection.v1.ListServiceResponse;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServerReflectionResponse;
import dev.gannet.services.reflection.v1.ServiceResponse;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Answers the requests of one reflection stream, one response each. Imports that were already sent
 * on this stream are omitted, as the protocol allows. Confined to one thread.
 */
final class ReflectionStream {
  private final Set<FileDescriptor> sent = new HashSet<>();

  ServerReflectionResponse answer(ServerReflectionRequest request, SchemaIndex index) {
    ServerReflectionResponse.Builder response =
        ServerReflectionResponse.newBuilder()
            .setValidHost(request.getHost())
            .setOriginalRequest(request);
    switch (request.getMessageRequestCase()) {
      case LIST_SERVICES -> response.setListServicesResponse(listed(index));
      case FILE_BY_FILENAME -> addFile(response, index.file(request.getFileByFilename()), "file");
      case FILE_CONTAINING_SYMBOL ->
          addFile(response, index.fileOfSymbol(request.getFileContainingSymbol()), "symbol");
      case FILE_CONTAINING_EXTENSION -> {
        ExtensionRequest wanted = request.getFileContainingExtension();
        addFile(
            response,
            index.fileOfExtension(wanted.getContainingType(), wanted.getExtensionNumber()),
            "extension");
      }
      case ALL_EXTENSION_NUMBERS_OF_TYPE ->
          addNumbers(response, request.getAllExtensionNumbersOfType(), index);
      case MESSAGEREQUEST_NOT_SET ->
          response.setErrorResponse(
              error(Status.Code.UNIMPLEMENTED, "the request is of an unknown type"));
    }
    return response.build();
  }

  private static ListServiceResponse listed(SchemaIndex index) {
    ListServiceResponse.Builder list = ListServiceResponse.newBuilder();
    index.serviceNames().forEach(it -> list.addService(ServiceResponse.newBuilder().setName(it)));
    return list.build();
  }

  private void addFile(
      ServerReflectionResponse.Builder response, Optional<FileDescriptor> file, String kind) {
    if (file.isPresent()) {
      response.setFileDescriptorResponse(withImports(file.get()));
    } else {
      response.setErrorResponse(error(Status.Code.NOT_FOUND, "no such " + kind));
    }
  }

  private FileDescriptorResponse withImports(FileDescriptor wanted) {
    FileDescriptorResponse.Builder files = FileDescriptorResponse.newBuilder();
    Set<FileDescriptor> seen = new HashSet<>();
    ArrayDeque<FileDescriptor> waiting = new ArrayDeque<>();
    waiting.add(wanted);
    while (!waiting.isEmpty()) {
      FileDescriptor file = waiting.remove();
      if (seen.add(file)) {
        if (sent.add(file) || file.equals(wanted)) {
          files.addFileDescriptorProto(JsonNames.in(file).toByteString());
        }
        waiting.addAll(file.getDependencies());
      }
    }
    return files.build();
  }

  private static void addNumbers(
      ServerReflectionResponse.Builder response, String type, SchemaIndex index) {
    if (index.hasMessage(type)) {
      response.setAllExtensionNumbersResponse(
          ExtensionNumberResponse.newBuilder()
              .setBaseTypeName(type)
              .addAllExtensionNumber(index.extensionNumbers(type)));
    } else {
      response.setErrorResponse(error(Status.Code.NOT_FOUND, "no such message type"));
    }
  }

  private static ErrorResponse error(Status.Code code, String message) {
    return ErrorResponse.newBuilder().setErrorCode(code.value()).setErrorMessage(message).build();
  }
}
