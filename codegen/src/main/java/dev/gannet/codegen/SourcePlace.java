package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.List;

/**
 * A position in a {@code .proto} file, as compilers print it: {@code greeter.proto:12:3: }. Without
 * a line if protoc did not send it.
 */
final class SourcePlace {
  private SourcePlace() {}

  static String of(ServiceDescriptor service) {
    return of(
        service.getFile(), List.of(FileDescriptorProto.SERVICE_FIELD_NUMBER, service.getIndex()));
  }

  static String of(MethodDescriptor method) {
    return of(
        method.getFile(),
        List.of(
            FileDescriptorProto.SERVICE_FIELD_NUMBER,
            method.getService().getIndex(),
            ServiceDescriptorProto.METHOD_FIELD_NUMBER,
            method.getIndex()));
  }

  private static String of(FileDescriptor file, List<Integer> path) {
    String place =
        file.toProto().getSourceCodeInfo().getLocationList().stream()
            .filter(location -> location.getPathList().equals(path))
            .findFirst()
            .map(SourcePlace::begin)
            .orElse("");
    return file.getName() + ":" + place + " ";
  }

  /** Counted from one, as editors do. */
  private static String begin(Location location) {
    return (location.getSpan(0) + 1) + ":" + (location.getSpan(1) + 1) + ":";
  }
}
