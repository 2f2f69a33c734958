@ What the three programs look at: the picture's size, camera, light and
@ materials as constants, and the triangles. Assemble with
@ --defsym width=W --defsym height=H for a picture of another size, and with
@ --defsym mesh=1 -I FOLDER for the triangles in FOLDER/mesh.tri instead.
@ scene.h has the constants' layout for C.
        .ifndef width
        .equ    width,64
        .equ    height,48
        .endif

        .global picture,eye,light,sky
        .const
picture:
        .word   width,height
        .float  0.62            @ half the view's height at distance 1
        .float  0.22            @ how much the view slopes down
eye:    .float  0.0,1.7,-4.5,0.0
light:  .float  0.48,0.8,-0.36,0.0      @ its direction, a unit vector
        .float  0.25            @ what is seen without light
        .float  0.001           @ how far a ray starts above a surface
        .float  0.5
        .float  1.0
sky:    .float  0.55,0.7,0.9,1.0

@ A triangle's shader word is its material's address: red, green, blue, and
@ how much it reflects.
floor:  .float  0.75,0.75,0.7,0.4
brick:  .float  0.8,0.3,0.2,0.0
moss:   .float  0.25,0.65,0.3,0.0

        .macro  triangle a,b,c,material
        .word   \a,\b,\c,\material
        .endm
        .macro  vertex x,y,z
        .float  \x,\y,\z,1.0
        .endm

        .triangles
        .ifdef  mesh
        .incbin "mesh.tri"
        .else
        triangle 0,3,2,floor
        triangle 0,2,1,floor
        triangle 8,11,10,brick
        triangle 8,10,9,brick
        triangle 4,8,9,brick
        triangle 4,9,5,brick
        triangle 5,9,10,brick
        triangle 5,10,6,brick
        triangle 6,10,11,brick
        triangle 6,11,7,brick
        triangle 7,11,8,brick
        triangle 7,8,4,brick
        triangle 12,16,13,moss
        triangle 13,16,14,moss
        triangle 14,16,15,moss
        triangle 15,16,12,moss
        .word   0,0,0,0
        @ floor
        vertex  -4.0,0.0,-2.0
        vertex  4.0,0.0,-2.0
        vertex  4.0,0.0,8.0
        vertex  -4.0,0.0,8.0
        @ a box: bottom, top
        vertex  -1.8,0.0,1.4
        vertex  -0.9,0.0,0.6
        vertex  -0.1,0.0,1.5
        vertex  -1.0,0.0,2.3
        vertex  -1.8,1.2,1.4
        vertex  -0.9,1.2,0.6
        vertex  -0.1,1.2,1.5
        vertex  -1.0,1.2,2.3
        @ a pyramid: base, top
        vertex  0.7,0.0,0.4
        vertex  1.9,0.0,0.1
        vertex  2.2,0.0,1.3
        vertex  1.0,0.0,1.6
        vertex  1.45,1.6,0.85
        .float  0.0,0.0,0.0,0.0
        .endif
