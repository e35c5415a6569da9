; What kernels that make arrays or lists need of numba's runtime, over the C library's malloc: numba has it in C,
; for processors that it knows. Sizes are i64 there, whatever a pointer takes.

; references, destructor, what the destructor is told, data, bytes of data
%memory = type { i64, ptr, ptr, ptr, i64 }

declare ptr @malloc(i32)
declare ptr @realloc(ptr, i32)
declare void @free(ptr)

define linkonce_odr ptr @NRT_Allocate(i64 %bytes) {
  %size = trunc i64 %bytes to i32
  %made = call ptr @malloc(i32 %size)
  ret ptr %made
}

define linkonce_odr void @NRT_Free(ptr %data) {
  call void @free(ptr %data)
  ret void
}

; The record, with its data behind it.
define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %align) {
  %align64 = zext i32 %align to i64
  %padded = add i64 %bytes, %align64
  %whole = add i64 %padded, 32
  %made = call ptr @NRT_Allocate(i64 %whole)
  %behind = getelementptr %memory, ptr %made, i32 1
  %place = ptrtoint ptr %behind to i32
  %last = sub i32 %align, 1
  %over = add i32 %place, %last
  %mask = sub i32 0, %align
  %aligned = and i32 %over, %mask
  %data = inttoptr i32 %aligned to ptr
  call void @filled(ptr %made, ptr null, ptr %data, i64 %bytes)
  ret ptr %made
}

define linkonce_odr ptr @NRT_MemInfo_alloc(i64 %bytes) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 16)
  ret ptr %made
}

; The record, with data of its own that may be moved: a list's.
define linkonce_odr ptr @NRT_MemInfo_new_varsize_dtor(i64 %bytes, ptr %destructor) {
  %data = call ptr @NRT_Allocate(i64 %bytes)
  %made = call ptr @NRT_Allocate(i64 32)
  call void @filled(ptr %made, ptr %destructor, ptr %data, i64 %bytes)
  ret ptr %made
}

define linkonce_odr ptr @NRT_MemInfo_varsize_realloc(ptr %memory, i64 %bytes) {
  %at = getelementptr %memory, ptr %memory, i32 0, i32 3
  %data = load ptr, ptr %at
  %size = trunc i64 %bytes to i32
  %moved = call ptr @realloc(ptr %data, i32 %size)
  store ptr %moved, ptr %at
  %length = getelementptr %memory, ptr %memory, i32 0, i32 4
  store i64 %bytes, ptr %length
  ret ptr %moved
}

; Nobody has a reference any more. Destructors of lists take the data and no more, whatever numba's C says of them:
; WebAssembly looks at what a function takes. Those without one have their data behind the record.
define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %memory) {
  %at = getelementptr %memory, ptr %memory, i32 0, i32 1
  %destructor = load ptr, ptr %at
  %none = icmp eq ptr %destructor, null
  br i1 %none, label %free, label %call
call:
  %data_at = getelementptr %memory, ptr %memory, i32 0, i32 3
  %data = load ptr, ptr %data_at
  call void %destructor(ptr %data)
  call void @free(ptr %data)
  br label %free
free:
  call void @free(ptr %memory)
  ret void
}

define internal void @filled(ptr %memory, ptr %destructor, ptr %data, i64 %bytes) {
  store %memory { i64 1, ptr null, ptr null, ptr null, i64 0 }, ptr %memory
  %destructor_at = getelementptr %memory, ptr %memory, i32 0, i32 1
  store ptr %destructor, ptr %destructor_at
  %data_at = getelementptr %memory, ptr %memory, i32 0, i32 3
  store ptr %data, ptr %data_at
  %length_at = getelementptr %memory, ptr %memory, i32 0, i32 4
  store i64 %bytes, ptr %length_at
  ret void
}

; Arrays here have no gaps: the strides of any new shape follow from it.
define linkonce_odr i32 @numba_attempt_nocopy_reshape(i64 %n, ptr %shape, ptr %strides, i64 %new_n, ptr %new_shape, ptr %new_strides, i64 %itemsize, i32 %fortran) {
entry:
  br label %next
next:
  %i = phi i64 [ %new_n, %entry ], [ %before, %one ]
  %stride = phi i64 [ %itemsize, %entry ], [ %wider, %one ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %one, label %end
one:
  %before = sub i64 %i, 1
  %stride_at = getelementptr i64, ptr %new_strides, i64 %before
  store i64 %stride, ptr %stride_at
  %size_at = getelementptr i64, ptr %new_shape, i64 %before
  %size = load i64, ptr %size_at
  %wider = mul i64 %stride, %size
  br label %next
end:
  ret i32 1
}
